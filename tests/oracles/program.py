"""The command line as a program of its own, which tests interrupt."""

#: A program started in the background may inherit an ignored SIGINT; Python then installs no handler.
PROGRAM = (
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    "from opensim_inertia.cli import main\n"
    "raise SystemExit(main())\n"
)
