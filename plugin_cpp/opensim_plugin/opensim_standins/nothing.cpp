// A library without contents: only its name counts, see ../CMakeLists.txt.
