# SPDX-License-Identifier: GPL-3.0-or-later
"""What a container engine does before the bridge of the wall "uid" starts, without an engine: run as root by

    unshare --pid --mount --net --ipc --uts --fork --kill-child python3 container.py main|exec IMAGE CWD

it makes a root of its own (a layer over IMAGE, which is JSON: files by path as [text, mode], and a bash script that runs after
that; /usr of this machine, not writable) and becomes the bridge with
exactly the capabilities that a container gets. In the form `exec` the bridge is a child of process 1, beside two services that
must live on; what is alive when the bridge has gone is told on stderr."""
import fcntl
import json
import os
import pathlib
import shutil
import signal
import socket
import struct
import subprocess
import sys
import time

BOOT = (pathlib.Path(__file__).resolve().parents[3] / "resources" / "sandbox" / "boot.py").read_text()
KEPT = ("chown", "dac_override", "fowner", "setuid", "setgid", "kill")
SERVICES = (["sleep", "271828"], ["setpriv", "--reuid", "33", "--regid", "33", "--clear-groups", "sleep", "271829"])
PLACE = "/mnt"


def mount(*options):
    subprocess.run(["mount"] + list(options), check=True)


def make_image(image, lower):
    """What is in the image's layer, which the root lies over as an engine would have it."""
    for name in ("usr", "etc", "app", "logs", "home", "tmp", "run", "root", "proc", "dev", "old", "opt"):
        os.mkdir(os.path.join(lower, name))
    os.chmod(lower + "/tmp", 0o1777)
    os.chmod(lower + "/root", 0o700)
    for name in ("bin", "sbin", "lib", "lib32", "lib64", "libx32"):
        if os.path.islink("/" + name):
            os.symlink(os.readlink("/" + name), os.path.join(lower, name))
        elif os.path.isdir("/" + name):
            os.mkdir(os.path.join(lower, name))
    for name in ("passwd", "group", "ld.so.cache"):
        shutil.copy("/etc/" + name, lower + "/etc/")
    shutil.copytree("/etc/alternatives", lower + "/etc/alternatives", symlinks=True)
    for path, (text, mode) in image["files"].items():
        os.makedirs(os.path.dirname(lower + path), exist_ok=True)
        pathlib.Path(lower + path).write_text(text)
        os.chmod(lower + path, mode)
    if image["script"]:
        mount_programs(lower)
        mount("-t", "tmpfs", "dev", lower + "/dev")
        add_devices(lower)
        subprocess.run(["chroot", lower, "bash", "-e", "-c", "cd /app\n" + image["script"]], check=True, stdin=subprocess.DEVNULL, stdout=2)
        subprocess.run(["umount", "-l", lower + "/dev"], check=True)


def mount_programs(root):
    for name in ("usr", "bin", "sbin", "lib", "lib32", "lib64", "libx32"):
        if os.path.isdir("/" + name) and not os.path.islink("/" + name):
            mount("--bind", "/" + name, os.path.join(root, name))
            mount("-o", "remount,bind,ro", os.path.join(root, name))


def add_devices(root):
    for name in ("null", "zero", "urandom"):
        pathlib.Path(root, "dev", name).touch()
        mount("--bind", "/dev/" + name, os.path.join(root, "dev", name))
    for name, target in (("fd", "/proc/self/fd"), ("stdin", "/proc/self/fd/0"), ("stderr", "/proc/self/fd/2")):
        os.symlink(target, os.path.join(root, "dev", name))
    os.mkdir(root + "/dev/shm", 0o777)
    os.chmod(root + "/dev/shm", 0o1777)


def make_root(image):
    mount("--make-rprivate", "/")
    mount("-t", "tmpfs", "-o", "mode=0755", "root", PLACE)
    for name in ("lower", "upper", "work", "root"):
        os.mkdir(os.path.join(PLACE, name))
    make_image(image, PLACE + "/lower")
    root = PLACE + "/root"
    mount("-t", "overlay", "-o", "lowerdir={0}/lower,upperdir={0}/upper,workdir={0}/work".format(PLACE), "overlay", root)
    mount_programs(root)
    mount("-t", "proc", "proc", root + "/proc")
    mount("-t", "tmpfs", "-o", "mode=0755", "dev", root + "/dev")
    add_devices(root)
    subprocess.run(["pivot_root", root, root + "/old"], check=True)
    os.chdir("/")
    subprocess.run(["umount", "-l", "/old"], check=True)
    os.rmdir("/old")


def raise_loopback():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, 0x8914, struct.pack("16sH14x", b"lo", 1))    # SIOCSIFFLAGS, IFF_UP


def become_bridge(cwd):
    kept = "-all," + ",".join("+" + name for name in KEPT)
    os.chdir(cwd)
    env = {"PATH": "/usr/local/bin:/usr/bin:/bin:/home/agent/bin", "LANG": "C.UTF-8", "HOME": "/root", "IMAGE_VARIABLE": "1"}
    os.execvpe("setpriv", ["setpriv", "--bounding-set", kept, "--inh-caps", "-all", "--no-new-privs", "--clear-groups",
                           "python3", "-I", "-S", "-u", "-c", BOOT], env)


def be_process_1(cwd):
    with open(os.devnull, "rb+") as null:
        services = [subprocess.Popen(argv, stdin=null, stdout=null, stderr=null) for argv in SERVICES]
    bridge = os.fork()
    if bridge == 0:
        become_bridge(cwd)
    for fd in (0, 1):
        os.close(fd)
    status = os.waitpid(bridge, 0)[1]
    end = time.monotonic() + 3
    alive = []
    while time.monotonic() < end:
        alive = sorted(int(name) for name in os.listdir("/proc") if name.isdigit() and name != "1" and state(name) not in "ZX")
        if alive == sorted(service.pid for service in services):
            break
        time.sleep(0.01)
    names = [open("/proc/%d/cmdline" % pid).read().replace("\0", " ").strip() for pid in alive]
    os.write(2, ("alive: %s\n" % names).encode())
    os._exit(os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status))


def state(pid):
    try:
        with open("/proc/%s/stat" % pid) as file:
            return file.read().rpartition(")")[2].split()[0]
    except OSError:
        return "X"


def main():
    form, image, cwd = sys.argv[1:]
    make_root(json.loads(image))
    raise_loopback()
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    (become_bridge if form == "main" else be_process_1)(cwd)


main()
