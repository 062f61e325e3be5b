"""Stands in, when Python starts, for functions that Wine lacks."""

import _winapi
from multiprocessing.connection import PipeConnection

del _winapi.CopyFile2
send = PipeConnection._send_bytes
PipeConnection._send_bytes = lambda pipe, data: send(pipe, data or b"-")
