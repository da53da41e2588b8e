# SPDX-License-Identifier: GPL-3.0-or-later
"""The hasty agent: takes the first hit and forgets half of what was asked."""
import sys

sys.dont_write_bytecode = True  # the app folder is not the agent's
import scripted

scripted.follow("hasty")
