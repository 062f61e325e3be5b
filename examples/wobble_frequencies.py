"""Frequencies of wobbling bellies by activation, beside frequencies measured on soft tissue.

Wakeling and Nigg (2001) measured the vibrations of leg muscles: their frequencies lie between about 10 and 65 Hz, and
rise with force. Here a belly is a string under its muscle's own tension and under what holds it without, see the
theory: f^2 grows linearly with tension, F / (4 m B) for an even belly.
"""

import numpy as np
import pandas as pd
from common import opensim_models, output_folder
from matplotlib.figure import Figure

import opensim_inertia as oi
from opensim_inertia.model.swings import swings_of

MUSCLES = ("vaslat_r", "recfem_r", "bflh_r", "tibant_r", "gasmed_r")
ACTIVATIONS = np.linspace(0.0, 1.0, 21)
MEASURED = (10.0, 65.0)  # Hz

path = opensim_models() / "Models" / "Rajagopal" / "Rajagopal2016.osim"
folder = output_folder("wobble_frequencies")
inertial = oi.InertialModel(path, oi.estimate_masses(path))
strongest = {m.getName(): m.get_max_isometric_force() for m in inertial.model.getMuscles()}
(swings,) = swings_of(inertial, oi.options.Wobble())
table = pd.DataFrame(index=pd.Index(ACTIVATIONS, name="activation"))
for muscle in MUSCLES:
    i = swings.names.index(muscle)
    tension = np.zeros((len(ACTIVATIONS), len(swings.names)))
    tension[:, i] = ACTIVATIONS * strongest[muscle]
    table[muscle] = swings.values.frequency(tension)[:, i]
table.to_csv(folder / "wobble_frequencies.csv")

figure = Figure(figsize=(7, 4.5), layout="constrained")
axis = figure.subplots()
axis.axhspan(*MEASURED, color="0.92", label="soft tissue, Wakeling and Nigg 2001")
for muscle in MUSCLES:
    axis.plot(100 * ACTIVATIONS, table[muscle], label=muscle)
axis.set(xlabel="activation [%]", ylabel="frequency of the first mode [Hz]", xlim=(0, 100), ylim=(0, None))
axis.legend(frameon=False, fontsize="small")
figure.savefig(folder / "wobble_frequencies.png", dpi=150)
print(table.loc[[0.0, 0.1, 0.5, 1.0]].round(1).to_string())
print("wrote", folder / "wobble_frequencies.png")
