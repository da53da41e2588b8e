# SPDX-License-Identifier: GPL-3.0-or-later
# The start of a sandbox: `python3 -I -S -u -c "$(the lines below this comment)"`. The host may pass this file as it is.
# It reads one line with a decimal length, then that many bytes from fd 0, and runs them: the parts in bridge/, joined, and before them, if
# the host likes, what compile_bridge.py made of them: a line that names a Python, and code for it. That Python starts the bridge from the
# code, 40 ms of processor time sooner; every other one from the source. Nothing is read beyond those bytes, so the first protocol line
# may follow at once. A host that goes away early ends it with 65. Each part begins with the comment that this file begins with and is
# compiled by itself: as a whole the bridge would be 19 MB large instead of 12, and later.
import marshal,os,sys,_frozen_importlib_external as f;r=lambda k:os.read(0,k)or os._exit(65);n=s=b''
while n[-1:]!=b'\n':n+=r(1)
while len(s)<int(n):s+=r(int(n)-len(s))
t=b'%a %s\n'%(sys.implementation.cache_tag,f.MAGIC_NUMBER.hex().encode())
for p in marshal.loads(s[len(t):])if s.startswith(t)else(compile(b'#'+p,'bridge','exec')for p in s.split(b'# SPDX')[1:]):exec(p)
