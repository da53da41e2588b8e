#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Run as: cd /app && TESTS_DIR=/app/tests bash tests/test.sh
# Exits 0 when the attempt could be judged, whatever the reward. REWARD_FILE moves the
# reward elsewhere, for trying a bundle outside a sandbox.
set -e
exec python3 -B "${TESTS_DIR:-/app/tests}/verify.py" "${REWARD_FILE:-@REWARD_FILE@}"
