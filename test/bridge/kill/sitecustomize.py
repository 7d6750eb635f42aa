"""Python loads this by itself from PYTHONPATH: kills the program before its n-th change of a file's name."""

import os
import signal

left = int(os.environ["KILL_AT"])


def counted(act):
    def acting(*args):
        global left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        with open(os.environ["KILL_LOG"], "a") as log:
            log.write("1\n")
        return act(*args)

    return acting


os.replace = counted(os.replace)
os.unlink = counted(os.unlink)
