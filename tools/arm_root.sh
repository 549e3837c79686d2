#!/usr/bin/env bash
# Make a root for 64-bit Arm on a Debian x86 machine, and run commands in it, emulated by QEMU:
#
#     sudo tools/arm_root.sh make FOLDER                 # minutes, 1.5 GB
#     sudo tools/arm_root.sh run FOLDER python -m pytest -n0 tests/cpu
#
# Packages come from wherever apt and pip of this machine get theirs. `/proc/cpuinfo` is a Neoverse
# V1's, since QEMU shows the host's. SME is off, as on a V1: OpenBLAS's kernels for it raise flags
# that NumPy reports as divisions by zero. The checkout is mounted at /convladder, where commands
# start.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
root=$(realpath -m "$2")

mounted() { findmnt --noheadings "$1" > /dev/null; }

# Programs for Arm start like any other: the kernel hands them to QEMU.
emulate() {
    mounted /proc/sys/fs/binfmt_misc || mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc
    [[ -e /proc/sys/fs/binfmt_misc/qemu-aarch64 ]] ||
        cat /usr/lib/binfmt.d/qemu-aarch64.conf > /proc/sys/fs/binfmt_misc/register
}

make_root() {
    command -v debootstrap qemu-aarch64-static > /dev/null ||
        apt-get install --yes --no-install-recommends qemu-user-static debootstrap
    . /etc/os-release
    local site wheels=() each
    site=$(apt-get indextargets --format '$(SITE)' "Codename: $VERSION_CODENAME" | head -n 1)
    mkdir -p "$root"/usr/{bin,sbin,lib} "$root"/convladder
    for each in bin sbin lib; do ln -sfn usr/$each "$root/$each"; done
    debootstrap --arch=arm64 --download-only --variant=minbase \
        --include=python3,python3-dev,g++,make,git,libgomp1,procps \
        "$VERSION_CODENAME" "$root/packages" "$site"
    # Unpacked natively. No package's own script runs, which under QEMU takes half an hour.
    for each in "$root"/packages/var/cache/apt/archives/*.deb; do
        dpkg-deb --fsys-tarfile "$each" | tar -x -C "$root" --keep-directory-symlink
    done
    rm -r "$root/packages"
    emulate
    chroot "$root" ldconfig
    for each in gcc:cc g++:c++; do ln -sfn "${each%:*}" "$root/usr/bin/${each#*:}"; done
    ln -sfn python3 "$root/usr/bin/python"
    printf 'root:x:0:0:root:/root:/bin/bash\n' > "$root/etc/passwd"
    printf '127.0.0.1 localhost\n' > "$root/etc/hosts"

    for each in 2_39 2_34 2_28 2_27 2_24 2_17; do wheels+=(--platform "manylinux_${each}_aarch64"); done
    wheels+=(--platform manylinux2014_aarch64 --platform linux_aarch64)
    python3 -m pip install "${wheels[@]}" --python-version "$(ls "$root/usr/lib" |
        sed -n 's/^python\(3\.[0-9]*\)$/\1/p')" --only-binary=:all: --no-compile \
        --target "$root/usr/lib/python3/dist-packages" --constraint "$here/constraints.txt" "$here[test]"
    rm -r "$root"/usr/lib/python3/dist-packages/convladder  # the mounted checkout's is used
}

run_in_root() {
    emulate
    mounted "$root/proc" || mount -t proc proc "$root/proc"
    mounted "$root/dev" || mount --rbind /dev "$root/dev"
    if mounted "$root/convladder"; then umount "$root/convladder"; fi  # of another checkout
    mount --bind "$here" "$root/convladder"
    mounted "$root/proc/cpuinfo" || { cpuinfo > "$root/cpuinfo" &&
        mount --bind "$root/cpuinfo" "$root/proc/cpuinfo"; }
    exec chroot "$root" /usr/bin/env --chdir=/convladder HOME=/root LANG=C.UTF-8 \
        QEMU_CPU=max,sme=off PYTHONPATH=/convladder/src CONVLADDER_QUICK="${CONVLADDER_QUICK-1}" "$@"
}

cpuinfo() {
    for ((core = 0; core < $(nproc); core++)); do
        printf '%s\t: %s\n' processor $core Features "fp asimd evtstrm aes pmull sha1 sha2 crc32 \
atomics fphp asimdhp cpuid asimdrdm jscvt fcma lrcpc dcpop sha3 sm3 sm4 asimddp sha512 sve asimdfhm \
i8mm bf16 rng" "CPU implementer" 0x41 "CPU architecture" 8 "CPU variant" 0x1 "CPU part" 0xd40 \
            "CPU revision" 1
        echo
    done
}

case $1 in
    make) make_root ;;
    run) run_in_root "${@:3}" ;;
esac
