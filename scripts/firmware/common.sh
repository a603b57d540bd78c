# What the scripts of the firmware share. Source it; it changes to the top of the checkout.

. "$(dirname "${BASH_SOURCE[0]}")/../lib/common.sh"

# The processors of the ports: Cortex-M4 and newer, and 32-bit RISC-V.
TARGETS=(armv7em-none-none-eabi riscv32-none-none-eabi)

# The sources of BearSSL, once scripts/firmware/bearssl has fetched them.
BEARSSL=$CACHE/bearssl

# The compiler of C that comes with Swift's, which knows all processors.
CLANG=$(dirname "$(readlink -f "$(command -v swiftc)")")/clang

# compiler_flags TARGET: what C is compiled with, also where Swift reads its headers.
compiler_flags() {
  local device="-ffreestanding -I$ROOT/scripts/firmware/include"
  case $1 in
    armv7em-*) say "--target=$1 -mcpu=cortex-m4 -mfloat-abi=soft $device" ;;
    armv6m-*) say "--target=$1 -mcpu=cortex-m0plus -mfloat-abi=soft $device" ;;
    riscv32-*) say "--target=$1 -march=rv32imac -mabi=ilp32 $device" ;;
    host) ;;
    # Where C has its own library; string.h of a device is not for it.
    x86_64-*-linux-*) say "--target=$1" ;;
    *) die "no such target: $1; there are: ${TARGETS[*]} host" ;;
  esac
}

# The rooms of a tracker, each after those that it uses.
ROOMS=(Base/SafeText Base/Diagnosis Base/LunaCrypto Air/Bluetooth Air/PeripheralHost Tracker/LunaFrames
  Tracker/LunaProtocol Tracker/TrackerMachine Tracker/TrackerBoard)
# Those that Package.swift calls pure.
PURE="LunaCrypto Bluetooth PeripheralHost LunaFrames LunaProtocol TrackerMachine TrackerBoard"

# What of them stays behind: what waits for something, what people read, and what only those do who listen, connect,
# capture or upload.
declare -A WITHOUT=(
  [SafeText]="VisibleText.swift"
  [Diagnosis]="Remedy+Names.swift"
  [LunaCrypto]="OpenSSL HPKE Signatures SecureRandom.swift Ciphers/AES128GCM.swift Ciphers/AESBlocks.swift
    Curves/CurvePoint.swift Curves/Ed25519.swift Curves/EllipticCurve.swift Hashing/HMACSHA1.swift Hashing/SHA1.swift
    Hashing/Scrypt.swift"
  [Bluetooth]="ATT/Client CaptureFormats LinkLayer Source Advertising/AdvertisingPayload.swift
    Advertising/AdvertisingReport.swift GATT/GATTClient.swift GATT/GATTConnection.swift GATT/NoGATTClient.swift
    GATT/Radio.swift GATT/RadioAir.swift GATT/RadioProvider.swift HCI/AdvertisingEventEncoder.swift
    HCI/AdvertisingEventParser.swift HCI/FragmentAssembler.swift Numbers/Appearance.swift
    Numbers/BluetoothUUID+Service.swift Numbers/CompanyIdentifier.swift Numbers/Generated Numbers/NameTable.swift
    Peripheral/AdvertisingRadio.swift"
  [LunaProtocol]="Eddystone OtherNetworks Text/ControlCommand+Name.swift"
)

# room_files ROOM FOLDER: the Swift in a folder, of the room or of its tests, that is for a device; a line each.
room_files() {
  local leave=() part
  for part in ${WITHOUT[${1#*/}]:-}; do
    [ -e "Sources/$1/$part" ] || die "$1 has no $part, which scripts/firmware/common.sh leaves behind"
    leave+=(-path "$2/$part" -prune -o -path "$2/${part%.swift}Tests.swift" -prune -o)
  done
  find "$2" "${leave[@]}" -name '*.swift' -print | LC_ALL=C sort
}

# What Package.swift holds every target to.
RULES=(-swift-version 6 -warnings-as-errors -enable-upcoming-feature ExistentialAny
  -enable-upcoming-feature InternalImportsByDefault -enable-upcoming-feature MemberImportVisibility)

# compile_room ROOM TARGET FOLDER FLAG...: a module and an object, in a folder that has those of the rooms before it.
compile_room() {
  local room=$1 name=${1#*/} folder=$3 flags files
  files=$(room_files "$room" "Sources/$room") || return
  flags=$(swift_flags "$2" "$folder") || return
  [[ " $PURE " != *" $name "* ]] || flags+=" -strict-memory-safety"
  # A module beside it, which is quicker to have, would be compiled twice.
  swiftc "${RULES[@]}" $flags -wmo -parse-as-library -no-emit-module-separately-wmo "${@:4}" \
    -package-name luna -module-name "$name" \
    -emit-module -emit-module-path "$folder/$name.swiftmodule" -c $files -o "$folder/$name.o"
}

# swift_flags TARGET FOLDER: where the modules of the rooms and of BearSSL are.
swift_flags() {
  local flags
  flags=$(compiler_flags "$1") || return
  say "-I $2 -I scripts/firmware/CBearSSL $(printf -- '-Xcc %s ' $flags "-I$BEARSSL/inc")"
}

# The ports that are built here, each in a folder of scripts/firmware/ports.
PORTS=(qemu-m4 qemu-rv32 linux simulated)

# Those whose boards an SDK starts, links and drives; they are built where it is.
SDK_PORTS=(zephyr esp-idf pico)

# is_process PORT: whether it is a process of Linux.
is_process() { [ "$1" = linux ] || [ "$1" = simulated ]; }

# is_sdk PORT
is_sdk() { [[ " ${SDK_PORTS[*]} " == *" $1 "* ]]; }

# sdk_missing PORT: what of its SDK is not on this machine; fails where all is.
sdk_missing() {
  case $1 in
    zephyr) sdk_part ZEPHYR_BASE west ;;
    esp-idf) sdk_part IDF_PATH idf.py ;;
    pico) sdk_part PICO_SDK_PATH cmake || sdk_part PICO_SDK_PATH arm-none-eabi-gcc ;;
    *) return 1 ;;
  esac
}
sdk_part() {
  if [ ! -d "${!1:-}" ]; then
    say "$1 names no tree"
  elif ! command -v "$2" >/dev/null; then
    say "$2 is not on PATH"
  else
    return 1
  fi
}

# port_target PORT: the processor of a port.
port_target() {
  case $1 in
    zephyr) say armv7em-none-none-eabi ;;
    esp-idf) say riscv32-none-none-eabi ;;
    pico) case ${LUNA_BOARD:-pico_w} in pico2*) say armv7em-none-none-eabi ;; *) say armv6m-none-none-eabi ;; esac ;;
    qemu-m4) say armv7em-none-none-eabi ;;
    qemu-rv32) say riscv32-none-none-eabi ;;
    # For x86-64 alone Swift has a standard library in embedded mode.
    linux | simulated) say x86_64-unknown-linux-gnu ;;
    *) die "no such port: $1; there are: ${PORTS[*]} ${SDK_PORTS[*]}" ;;
  esac
}

# port_files PORT: what of a port is C.
port_files() {
  printf '%s\n' "scripts/firmware/ports/$1"/*.c
  [[ $1 != qemu-* ]] || say scripts/firmware/ports/semihosting.c
}

# What takes the place of a C library.
RUNTIME=(memory words division heap support)

# Where an SDK has a C library: the heap, which only the tracker uses, and arithmetic of 128 bits.
SDK_RUNTIME=(words division heap support)
# Where there is one, also on Linux, the heap is that of the device: what it tells is what the tracker takes, and nothing
# that the C library keeps for itself. Only the tracker's calls go to it. A pointer is twice as wide as on a device.
LINUX_RUNTIME=(heap)
LINUX_NAMES="-DLUNA_HEAP=28672 -Dmalloc=__wrap_malloc -Dfree=__wrap_free -Dposix_memalign=__wrap_posix_memalign"
LINUX_LINK=(-Wl,--wrap=malloc,--wrap=free,--wrap=posix_memalign)

# What both have is the tracker's under other names.
SDK_NAMES=(--redefine-sym main=luna_main --redefine-sym malloc=luna_malloc --redefine-sym free=luna_free
  --redefine-sym posix_memalign=luna_memalign)

# What the C of firmware is held to.
STRICT="-std=c17 -Wall -Wextra -Werror -Oz -ffunction-sections -fdata-sections -Iscripts/firmware/runtime
  -Iscripts/firmware/ports -Iscripts/firmware/CBoard"

# compile_c TARGET FILE OBJECT FLAG...
compile_c() {
  local flags
  flags=$(compiler_flags "$1") || return
  "$CLANG" $STRICT $flags "${@:4}" -c "$2" -o "$3"
}

# compile_port PORT TARGET FOLDER: the objects of a port and of the runtime; prints them.
compile_port() {
  local file object names= runtime=("${RUNTIME[@]}")
  ! is_process "$1" || runtime=("${LINUX_RUNTIME[@]}") names=$LINUX_NAMES
  ! is_sdk "$1" || runtime=("${SDK_RUNTIME[@]}")
  for file in "${runtime[@]}"; do
    object=$3/runtime-$file.o
    compile_c "$2" "scripts/firmware/runtime/$file.c" "$object" $names || die "$file.c does not compile for $2"
    say "$object"
  done
  ! is_sdk "$1" || return 0
  for file in $(port_files "$1"); do
    object=$3/port-$(basename "$file" .c).o
    compile_c "$2" "$file" "$object" || die "$file does not compile for $2"
    say "$object"
  done
}

# join_objects OBJECT OBJECT...: makes the first of the others, which an SDK links with its own. What it has of the
# compiler's helpers gives way to the SDK's.
join_objects() {
  local helpers
  "${CLANG%clang}ld.lld" -r "${@:2}" -o "$1.whole" || return
  helpers=$("${CLANG%clang}llvm-nm" --defined-only --extern-only --format=just-symbols "$1.whole") || return
  helpers=$(grep -E '^(__|arc4random_buf$)' <<<"$helpers" | sed 's/^/--weaken-symbol=/')
  "${CLANG%clang}llvm-objcopy" "${SDK_NAMES[@]}" $helpers "$1.whole" "$1"
}

# link_port PORT PROGRAM OBJECT...: what is not used is left out.
link_port() {
  if is_process "$1"; then "$CLANG" -fuse-ld=lld -Wl,--gc-sections "${LINUX_LINK[@]}" "${@:3}" -o "$2"; return; fi
  local options=(--gc-sections)
  # What the processor can do does not stand in what Swift hands to the linker.
  [ "$1" != qemu-rv32 ] || options+=(-mllvm -mattr=+m,+a,+c)
  "${CLANG%clang}ld.lld" "${options[@]}" -T "scripts/firmware/ports/$1/port.ld" "${@:3}" -o "$2"
}
