"""Numbers in README.md and docs/ that commands print: lists each with its command.

    python docs/stated_numbers.py

Tables between ``<!-- name -->`` and ``<!-- /name -->`` are written by the scripts that PAGES names, with ``--page``.
Sentences have the numbers of NUMBERS. Tests run the commands and compare both; tests also compare the numbers of the
tutorial and of the page for Matlab, which show what their own commands print.
"""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
#: Scripts, and the pages whose tables they write.
PAGES = {
    "atlas": "docs/atlas.md",
    "ankle_inertia": "docs/placements.md",
    "length_polynomials": "docs/length_polynomials.md",
    "public_trials": "docs/public_trials.md",
    "running_swing": "docs/guides/masses-and-strain.md",
    "segmented_hip": "docs/placements.md",
    "shank_muscles_apart": "docs/placements.md",
    "what_decides_the_answer": "docs/placements.md",
    "wobble_in_running": "docs/theory/wobble.md",
}
DEMO = r"{}_angle_r +N m +(\S+) +(\S+) +(\S+) to (\S+) +(\S+)"
FIBRES = r"{}\.0 +(\S+) +\S+ +\S+ +(\S+)"
#: Page, sentence, command or example, and what it prints: the numbers in brackets are the same, in this order.
NUMBERS = (
    ("inverse-dynamics", r"cross the ankle weigh (\S+) kg", "opensim-inertia demo", r"with mass, (\S+) kg of"),
    (
        "inverse-dynamics",
        r"ankle moment's peak, (\S+) N m, changes by (\S+) N m \(band (\S+) to (\S+)\), or (\S+) %",
        "opensim-inertia demo",
        DEMO.format("ankle"),
    ),
    (
        "inverse-dynamics",
        r"knee moment's peak, (\S+) N m, changes by (\S+) N m",
        "opensim-inertia demo",
        DEMO.format("knee"),
    ),
    ("recruitment", r"(\d+) muscles with (\S+) kg", "recruited_walking", r"walking: .* (\d+) muscles with (\S+) kg"),
    ("recruitment", r"activations by up to (\S+) ", "recruited_walking", r"walking: .*\n.*\n.*\n\S+ +\S+ +(\S+)"),
    ("opensim-tools", r"differs by (\S+) degrees", "native_forward_tool", r"inertial against lumped: (\S+) deg"),
    (
        "gradients",
        r"move the hand (\S+) mm past",
        "lumped_or_inertial_controls",
        r"lumped torques, inertial arm: .* (\S+) mm",
    ),
    ("gradients", r"the miss is (\S+) mm", "lumped_or_inertial_controls", r"lumped torques, muscles .* (\S+) mm"),
    (
        "../theory/sliding",
        r"At the elbow, `armature explains` is (\S+) %, and (\S+) % without",
        "mujoco_armature",
        r"rod, elbow: armature explains (\S+) % of sliding, (\S+) %",
    ),
    (
        "../limits",
        r"fibres of 100 mm level off in (\S+) ms\. .* 5 Hz differ by (\S+) %",
        "fibre_mass",
        FIBRES.format(100),
    ),
    ("../limits", r"of 200 mm, the numbers are (\S+) ms and (\S+) %", "fibre_mass", FIBRES.format(200)),
    ("posture-and-stability", r"stiffness of 3, a share of (\S+) ", "stability_of_a_leg", r"\n3\.0 +(\S+)"),
)


def differing(command: str, printed: str) -> list[str]:
    """Return the sentences whose numbers are not those that a command printed, to the digits of the page."""
    found = []
    for page, sentence, source, words in NUMBERS:
        if source != command:
            continue
        text = " ".join((ROOT / f"docs/guides/{page}.md").read_text(encoding="utf-8").split())
        said, now = re.search(sentence, text), re.search(words, printed)
        if said is None or now is None:
            found.append(f"{page}: {sentence}: not found")
            continue
        for one, other in zip(said.groups(), now.groups(), strict=False):
            digits = len(one.partition(".")[2])
            if abs(abs(float(one)) - abs(float(other))) > 0.51 * 10**-digits:
                found.append(f"{page}: {sentence}: {one}, but {other}")
    return found


if __name__ == "__main__":
    for script, page in PAGES.items():
        print(f"{page}: tables of examples/{script}.py")
    for page, sentence, command, _ in NUMBERS:
        print(f"docs/guides/{page}.md: {sentence}: {command}")
