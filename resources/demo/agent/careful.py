# SPDX-License-Identifier: GPL-3.0-or-later
"""The careful agent: looks at everything, compares, writes down what it found."""
import sys

sys.dont_write_bytecode = True  # the app folder is not the agent's
import scripted

scripted.follow("careful")
