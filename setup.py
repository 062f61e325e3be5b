"""Builds ``opensim_inertia._kernel`` with CMake; everything else about the package is in pyproject.toml."""

import os
import shlex
import subprocess
import sys
import sysconfig
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext


class CMakeExtension(Extension):
    """An extension module that CMakeLists.txt builds."""

    def __init__(self, name: str) -> None:
        super().__init__(name, sources=[])


class CMakeBuild(build_ext):
    """Configure afresh, since build environments are temporary, and let CMake write where setuptools expects."""

    def build_extension(self, ext: Extension) -> None:
        source = Path(__file__).resolve().parent
        target = Path(self.get_ext_fullpath(ext.name)).resolve().parent
        build = Path(self.build_temp).resolve() / ext.name
        options = [
            f"-DCMAKE_BUILD_TYPE={'Debug' if self.debug else 'Release'}",
            f"-DCMAKE_LIBRARY_OUTPUT_DIRECTORY={target}",
            f"-DPython_EXECUTABLE={sys.executable}",
            *shlex.split(os.environ.get("CMAKE_ARGS", "")),
        ]
        env = {**os.environ, "PATH": os.pathsep.join([os.environ["PATH"], sysconfig.get_path("scripts")])}
        configure = ["cmake", "--fresh", "-G", "Ninja", "-S", str(source), "-B", str(build), *options]
        subprocess.run(configure, check=True, env=env)
        subprocess.run(["cmake", "--build", str(build)], check=True, env=env)


setup(ext_modules=[CMakeExtension("opensim_inertia._kernel")], cmdclass={"build_ext": CMakeBuild})
