# The steps of scripts/test. Each adds lines to $RESULTS/records, and scripts/lib/testrun reads them.

# What somebody set for their own luna is not for the tests.
unset LUNA_ADAPTER LUNA_BACKEND LUNA_RADIO LUNA_STATE

# Shells and mandoc check what is generated for them; tshark and btmon are asked for a second opinion.
# The backend's second storage is tested with a real server, and https with a certificate.
TEST_PACKAGES=(e2fsprogs iproute2 tshark bluez mandoc man-db zsh fish udev file python3 python3-venv python3-icu dbus postgresql pgbouncer haproxy openssl systemd mosquitto mosquitto-clients glewlwyd oathtool chromium chromium-driver python3-selenium debconf-utils lintian mmdebstrap libcap2-bin libqrencode4 qrencode libzbar0 zbar-tools librsvg2-bin)

# The gate is what every change has to pass; all is that and what takes longer (`integration` has what `smoke` has).
GATE=(lint unit docs binary firmware captures simulation smoke)
ALL=(lint unit docs binary firmware board packages captures simulation soak integration examples fuzz)

RESULTS=${LUNA_TEST_RESULTS:-$ROOT/.build/test-results}
TIMES=$(dirname "$RESULTS")/test-times # of each step, when it ran last
testrun() { python3 scripts/lib/testrun "$@"; }

# run_steps STEP...: then what failed is asked again. However it ends, it ends with the count and exits with it.
run_steps() {
  rm -rf "$RESULTS"
  mkdir -p "$RESULTS"
  : >"$RESULTS/records"
  STEP=preparation FROM=$SECONDS
  trap end_run EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
  trap 'exit 129' HUP
  need_swift
  need_packages "${BUILD_PACKAGES[@]}" "${TEST_PACKAGES[@]}"
  # What tests make lies here, and is gone when they are; servers with users of their own come through.
  RUN=$(mktemp -d "${TMPDIR:-/tmp}/luna-run.XXXXXX") && chmod 755 "$RUN" || die "no folder for the run could be made"
  export TMPDIR=$RUN
  for STEP in "$@" again; do
    [ "$STEP" = again ] || say "== $STEP"
    FROM=$SECONDS
    "step_$STEP"
    took "$STEP" $((SECONDS - FROM))
  done
  STEP=
}
end_run() {
  local status=$? died=
  trap - EXIT
  if [ -n "$STEP" ]; then
    took "$STEP" $((SECONDS - FROM))
    died="$STEP (status $status)"
  fi
  left_behind
  testrun report ${died:+"$died"}
  exit $? # said, because a trap's plain exit has the status of what was before the trap
}

# The processes of this run: what has its folder for temporary files, or one below.
processes() {
  local process
  # Those that look are over when this is asked.
  for process in $(grep -lzsE "^TMPDIR=$RUN(/.*)?\$" /proc/[0-9]*/environ | cut -d/ -f3); do
    [ "$process" -ne $$ ] && [ -d "/proc/$process" ] && printf '%s\n' "$process"
  done
}

# left_behind: ends the processes of this run, removes its files, and says what there was. There should be nothing: a run
# that came to its end fails otherwise.
left_behind() {
  [ -n "${RUN:-}" ] || return 0
  local left=() process file try
  # Who was told to end may need a moment, and longer where much else goes on.
  for try in {1..120}; do [ -n "$(processes)" ] && sleep 0.25 || break; done
  for process in $(processes); do
    left+=("process $process: $(tr '\0' ' ' <"/proc/$process/cmdline" | cut -c1-80)")
    kill -9 "$process"
  done
  for file in "$RUN"/* "$RUN"/.[!.]*; do
    # Those of Swift's own tools and of lintian, which leave some; the last are Foundation's.
    case ${file##*/} in '*' | '.[!.]*' | TemporaryDirectory.* | swift-* | org.swift.* | *.lock | mldbm-* | ????????-*-[0-9]*-0000*) continue ;; esac
    left+=("${file##*/}")
  done
  for file in "/dev/shm/${RUN##*/}".*; do
    [ ! -e "$file" ] || left+=("$file")
  done
  # Networks of a group that was killed.
  for file in "/run/netns/${RUN##*/}".*; do
    [ ! -e "$file" ] || { left+=("$file"); ip netns delete "${file##*/}"; }
  done
  rm -rf "/etc/netns/${RUN##*/}".*
  # A disk of a test that was killed.
  grep -o " $RUN/[^ ]*" /proc/mounts | tac | xargs -r -n1 umount -l
  rm -rf "$RUN" "/dev/shm/${RUN##*/}".*
  [ ${#left[@]} -eq 0 ] && return
  printf 'left behind: %s\n' "${left[@]}" | one_line_each
  [ -n "$STEP" ] || STEP=again record failed "${#left[@]}" "nothing is left behind" "${left[*]}"
}

# took STEP SECONDS
took() {
  printf '%s\t%s\n' "$1" "$2" >>"$RESULTS/times"
  { grep -v "^$1	" "$TIMES" 2>/dev/null; printf '%s\t%s\n' "$1" "$2"; } >"$TIMES.new"
  mv "$TIMES.new" "$TIMES"
}

# A line for each step: its name, in which circles it is, how long it took last, what it is for.
list_steps() {
  local step circle last
  printf '%-12s %-5s %6s  %s\n' step in took 'what it is for'
  while IFS='|' read -r step what; do
    circle=
    [[ " ${GATE[*]} " == *" $step "* ]] && circle=gate
    [[ " ${ALL[*]} " == *" $step "* ]] && circle=${circle:-all}
    last=$(sed -n "s/^$step	//p" "$TIMES" 2>/dev/null)
    printf '%-12s %-5s %6s  %s\n' "$step" "${circle:--}" "${last:+$last s}" "$what"
  done <<'STEPS'
lint|the format of Swift, and that scripts and Python can be read
unit|all unit tests, built with everything that is optional, without a warning
docs|manual pages, completions, tables and the picture of README.md are what the sources say
binary|the size of luna, what it is linked with, districts and rooms, luna-helper, the units of systemd
firmware|what a tracker is made of, for its processors, and its cryptography on BearSSL
board|the firmware as a whole: emulated processors, its size, a month of a board
packages|Debian packages: made, looked at, installed in a clean Debian and in one that boots; the image
captures|recordings of others, as tshark and btmon see them
simulation|a simulated year, and memory over a million addresses
soak|a minute of luna local at full rate, how often what waits wakes up, an hour of places with faults, days of the watch, trackers among invented ones
smoke|integration in about 90 seconds: scanning, GATT, a finder, the backend, a fleet, onboarding, ringing
integration|all of integration: over H4, and in a VM with a real kernel and a real bluetoothd
examples|the commands of README.md, the demonstration, programs that embed Luna
fuzz|a minute of the fuzzers
long|hours, outside of both: kills, an hour of the fuzzers, a billion executions of the parsers
STEPS
}

# record OUTCOME COUNT NAME [REASON]: a line as scripts/lib/testrun/records.py declares it, of what is never asked again.
record() {
  local outcome=$1 count=$2 name=$3 reason=${4:-}
  printf '%s\t%s\t%s\t%s\t%s\t\t%s\n' "$outcome" "$STEP" "$count" "$(one_line "$name")" "$(one_line "$reason")" \
    "scripts/test $STEP" >>"$RESULTS/records"
}
# The first 500 characters on one line, without what controls a terminal.
one_line() { printf '%s' "$1" | tr '\n\t' '  ' | tr -d '\000-\037\177' | cut -c1-500; }
# check WHAT COMMAND...: one test; its output is shown when it fails. A command that ends with 77 and a line "not run:
# REASON" lacks something that this machine cannot have; the line is shown, and nothing counted.
check() {
  local what=$1 log=$RESULTS/log status
  shift
  "$@" >"$log" 2>&1
  status=$?
  if [ $status -eq 0 ]; then
    record passed 1 "$what"
  elif [ $status -eq 77 ] && grep '^not run' "$log"; then
    return
  else
    say "failed: $what"
    tail -40 "$log" | one_line_each
    record failed 1 "$what" "$(tail -3 "$log")"
  fi
}
one_line_each() { tr -d '\000-\010\013-\037\177' | cut -c1-2000 | sed 's/^/    /'; }
# tally WHAT LOGFILE STATUS: adds the counts of a runner that ends with 'N passed, N failed'.
tally() {
  local line p f
  line=$(grep -E '^[0-9]+ passed, [0-9]+ failed' "$2" | tail -1)
  p=${line%% passed*} f=${line#*, } f=${f%% failed*}
  [ "${p:-0}" -eq 0 ] || record passed "$p" "$1"
  if [ -z "$line" ] || { [ "$3" -ne 0 ] && [ "$f" -eq 0 ]; } || [ "$((p + f))" -eq 0 ]; then
    say "failed: $1 ended with status $3 and no good count"
    tail -40 "$2" | one_line_each
    record failed 1 "$1" "it ended with status $3 and no good count: $(tail -3 "$2")"
  elif [ "$f" -ne 0 ]; then
    grep -vE '^ok ' "$2" | tail -60 | one_line_each
    record failed "$f" "$1" "$(grep -E '^(FAILED|failed)' "$2" | head -3)"
  fi
}

python_sources() { git ls-files -co --exclude-standard '*.py'; grep -lE '^#!.*python3' $(git ls-files -co --exclude-standard scripts Tests) 2>/dev/null; }
shell_sources() { grep -lE '^#!.*(bash|/sh)' $(git ls-files -co --exclude-standard scripts .ci Tests) 2>/dev/null; }

# Of the files that it reads the names of: with --quick those that changed, else all.
of_interest() { if [ -n "${QUICK:-}" ]; then grep -Fxf <(scripts/lib/changed-units --files); else cat; fi; }

step_lint() {
  local file swift=(-r Package.swift Sources Tests scripts)
  [ -z "${QUICK:-}" ] || mapfile -t swift < <(git ls-files -co --exclude-standard '*.swift' | of_interest)
  [ ${#swift[@]} -eq 0 ] || check "swift format lint --strict" swift format lint --strict --parallel "${swift[@]}"
  for file in $(shell_sources | of_interest); do check "bash -n $file" bash -n "$file"; done
  for file in $(python_sources | sort -u | of_interest); do
    check "compile $file" python3 -c 'import sys; compile(open(sys.argv[1]).read(), sys.argv[1], "exec")' "$file"
  done
  check "how results are read, and tests asked again" python3 scripts/lib/testrun/check.py
  for file in udev/*.rules; do check "udev rules $file" scripts/lib/check-udev "$file"; done
  check "words of libraries" scripts/lib/check-words
  check "no file has sections: it would be two files" bash -c '! grep -rn "// MARK" --include="*.swift" Sources Tests scripts'
  check "nothing asks for what scripts/lib/release.ld leaves out" \
    bash -c '! grep -rnE "properties\.name\b|\.nameAlias\b|\\\\[Np]\{(name=|[A-Z])|SIMD[0-9]+<.*escri" --include="*.swift" Sources'
  # Who calls libluna is given just this (scripts/lib/check-libluna looks at the library itself).
  check "the symbols of libluna are the functions of luna.h" \
    bash -c 'grep -oE "\bluna_[a-z_]+\(" Sources/Ground/CLuna/include/luna.h | tr -d "(" | sort -u | diff - scripts/lib/libluna.symbols'
  # Packed anew: gzip -9nc luna-v1.json >luna-v1.json.gz
  check "vectors of the protocol are packed as they are" \
    bash -c 'zcat "$0.gz" | cmp - "$0"' Sources/Ground/CLunaVectors/luna-v1.json
}

step_unit() {
  build_units && release_meanwhile && testrun units $(basename -a Tests/*/*Tests)
}

# The tests that stand on what changed, for step_unit.
step_changed() {
  local units
  units=$(scripts/lib/changed-units) || { record failed 1 "what changed" "it could not be told"; return; }
  [ -n "$units" ] || { say "nothing that unit tests stand on has changed"; return; }
  say "changed: $(echo $units)"
  build_units && testrun units $units
}

# Debug builds are all made with the same words, or they would be made anew each time.
debug() { swift "$1" $(<scripts/lib/debug-build) "${@:2}"; }

# With everything that is optional.
build_units() {
  local log=$RESULTS/unit-build.log
  debug build --build-tests >"$log" 2>&1
  no_warnings "the unit tests are built" $? "$log"
}
# no_warnings WHAT STATUS LOGFILE: of a build.
no_warnings() {
  grep -E ': error:|: warning:|^warning:|^error:' "$3" | head -40 | one_line_each
  if [ "$2" -ne 0 ]; then
    record failed 1 "$1" "$(grep -m 3 error: "$3" || tail -3 "$3")"
  elif grep -q 'warning:' "$3"; then
    record failed 1 "$1 without warnings" "$(grep -m 3 warning: "$3")"
  else
    record passed 1 "$1 without warnings"
  fi
  return "$2"
}

# The tests that have $NAME in their name, and all that they print: of integration, else of units.
step_one() {
  if testrun has "$NAME"; then
    vm && release || return
    testrun integration --only "$NAME"
    grep -E '^ok ' "$RESULTS/integration.log"
  else
    build_units && testrun one "$NAME"
  fi
}

step_again() { testrun again; }

step_docs() {
  # First: it is built already, or is being built, and whoever builds something else waits for that.
  release || return
  # Both are made of the debug build.
  local log=$RESULTS/listings.log
  check "the documentation of the libraries has no warnings" scripts/docs
  # Of the symbol graphs that this has made.
  check "the public interface is the announced one" scripts/public-api --check --graphs .build/debug/../symbolgraph
  scripts/lib/check-listings >"$log" 2>&1
  tally "listings of the documentation" "$log" $?
  check "manual pages and completions are current" scripts/generate-docs --check
  check "number tables are current" python3 scripts/numbers/generate --check
  check "the picture of the live table in README.md is current" scripts/pictures/make --check
  check "the picture of an uplink check in README.md is current" scripts/pictures/uplink --check
  local page
  for page in scripts/man/*.1 scripts/helper/*.8; do check "mandoc lint $page" scripts/lib/check-man "$page"; done
}

step_binary() {
  release || return
  check "needed libraries and size" scripts/lib/check-binary "$LUNA"
  check "districts and rooms" python3 scripts/lib/check-districts
  check "luna-helper is built by clang" env CC=clang scripts/helper/build "$RESULTS/luna-helper"
  check "luna-helper is built" scripts/helper/build "$HELPER"
  check "luna-helper" scripts/lib/check-helper "$HELPER"
  check "what is C is built for arm64" scripts/lib/check-arm64
  check "the units of systemd" scripts/lib/check-units "$LUNA" "$HELPER"
}

# Half a minute: compilers only, of what a device has of the sources.
step_firmware() {
  check "the runtime of the firmware, and what its ports have in C" scripts/firmware/check-runtime
  check "the rooms of a tracker compile for its processors" scripts/firmware/check
  check "the tests of LunaCrypto on BearSSL" scripts/firmware/check-crypto
  local port
  for port in zephyr esp-idf pico; do
    check "the firmware is built for $port" scripts/firmware/build "$port"
  done
}

# Four minutes. The emulated boards run in integration, with what is installed here.
step_board() {
  local port log=$RESULTS/board.log
  (need_packages qemu-system-arm qemu-system-misc) >"$log" 2>&1 ||
    record failed 1 "the emulators are installed" "$(tail -3 "$log")"
  for port in qemu-m4 qemu-rv32; do
    check "the firmware is built for $port" scripts/firmware/build "$port"
  done
  [ ! -e .build/firmware/qemu-m4/luna-tracker.elf ] || check "its size, on a Cortex-M4" scripts/firmware/size
  check "a month of a board: its heap, the watchdog, what wakes it, and its flash" scripts/firmware/year --days 30
}

# The packages: made, looked at, and installed in a clean Debian; and in one that boots, which waits for most of its
# time.
step_packages() {
  release || return
  local log=$RESULTS/packages.log boot=$RESULTS/boot.log to=$ROOT/.build/packages
  check "the packages are made" scripts/package "$to"
  vm || return
  scripts/lib/check-boot "$to" >"$boot" 2>&1 &
  local machine=$!
  scripts/lib/check-packages "$to" >"$log" 2>&1
  tally "packages" "$log" $?
  check "the Containerfile as hadolint sees it" scripts/lib/check-containerfile
  check "the image is made, and luna runs in it" scripts/package --oci "$to"
  wait "$machine"
  tally "packages on a machine that boots" "$boot" $?
}

step_captures() {
  release || return
  # Each takes one core, and leans on no clock.
  if wants simulation; then
    setpriv --pdeathsig TERM "${SIMULATE[@]}" >"$RESULTS/simulation.log" 2>&1 &
    SIMULATION=$!
  fi
  local log=$RESULTS/captures.log
  python3 Tests/captures/compare_tshark.py "$LUNA" >"$log" 2>&1
  tally "captures against tshark and btmon" "$log" $?
}

# What a newcomer copies has to work: the end of scripts/quickstart, and the embedding examples.
step_examples() {
  release || return
  built_meanwhile
  local products=$RESULTS/products
  scripts/lib/check-products >"$products" 2>&1
  tally "clients of every product" "$products" $?
  local library=$RESULTS/libluna
  scripts/lib/check-libluna "$LUNA" >"$library" 2>&1
  tally "libluna, and its examples in C and Python" "$library" $?
  # These two wait for most of their time.
  local readme=$RESULTS/readme
  { scripts/lib/check-readme "$LUNA" >"$readme" 2>&1; echo $? >"$readme.status"; } &
  local reader=$! commands=$RESULTS/commands
  { scripts/lib/check-commands "$LUNA" >"$commands" 2>&1; echo $? >"$commands.status"; } &
  local others=$!
  check "trackers followed on the virtual radio" scripts/lib/story "$LUNA"
  check "luna demo tells the whole story" scripts/lib/check-demo "$LUNA"
  check "the garden example waters its plants, and serves its screen" scripts/lib/check-garden
  check "the gateway example builds" build_gateway
  check "the gateway example follows two trackers" scripts/examples/gateway/.build/release/gateway
  check "the reporter example reports four trackers" reporter
  wait "$reader"
  grep '^not run' "$readme"
  check "the commands of README.md work" bash -c 'cat "$0"; exit "$(cat "$0.status")"' "$readme"
  wait "$others"
  grep '^ *not run' "$commands"
  check "the commands of articles and help work" bash -c 'cat "$0"; exit "$(cat "$0.status")"' "$commands"
  check "the gateway example links no SQLite" bash -c '! readelf -d scripts/examples/gateway/.build/release/gateway | grep -q sqlite'
}

reporter() {
  local state status
  state=$(mktemp -d)
  timeout 900 scripts/examples/gateway/.build/release/reporter "$state"
  status=$?
  rm -rf "$state"
  return $status
}

# What takes too long without the optimiser: a simulated year, a million addresses.
step_simulation() {
  release || return
  local log=$RESULTS/simulation.log
  if [ -n "${SIMULATION:-}" ]; then wait "$SIMULATION"; else "${SIMULATE[@]}" >"$log" 2>&1; fi
  tally "a year of following, a year of a gateway, and memory over a million addresses" "$log" $?
  SIMULATION=
}
# Of one heap: how many there are depends on which threads meet by chance, and each keeps what it may need again.
SIMULATE=(timeout --foreground 6000 env MALLOC_ARENA_MAX=1 .build/release/luna-bench check)

# An hour of places with faults, in a minute and a half (--long has a day of it), fourteen simulated days, and floods.
step_soak() {
  release || return
  local log=$RESULTS/soak.log home=$RESULTS/soak-home.log
  # Alone, and before the others: what it costs is what counts.
  check "a minute of luna local among 2,000 advertisements a second, within 4 % of a core" scripts/bench --live
  tail -1 "$RESULTS/log"
  # What nobody pushes has to be looked at again and again: that shows here.
  check "luna finder, local and backend wake up at most twice a second while nothing happens" \
    bash -c 'scripts/vm/setup && scripts/bench --idle'
  tail -3 "$RESULTS/log"
  scripts/lib/soak.py --hours 1 --luna "$LUNA" local >"$log" 2>&1 &
  local other=$!
  { scripts/lib/soak.py --hours 1 --luna "$LUNA" home >"$home" 2>&1; echo $? >"$home.status"; } &
  local third=$!
  wait "$other"
  check "an hour of luna local in a busy place with faults" bash -c 'cat "$0"; exit "$1"' "$log" $?
  # What follows is found, and nobody else is accused.
  check "luna watch on fourteen simulated days" timeout 6000 \
    scripts/lib/bench/watch.py --seeds 1 --interval 15 --jobs 1 --check --luna "$LUNA"
  check "ten trackers among invented ones, in many ways" timeout 6000 .build/release/luna-bench floods
  wait "$third"
  check "an hour of luna home run in a busy place with faults and apps" bash -c 'cat "$0"; exit "$(cat "$0.status")"' "$home"
}

# Over H4 on this machine, and in a VM with a real kernel, a real bluetoothd and a virtual radio.
vm() {
  scripts/vm/setup && scripts/vm/build-kernel && return
  record failed 1 "the VM" "it could not be made"
  return 1
}

step_smoke() {
  release && vm && testrun integration --smoke --jobs 4
}

step_integration() {
  release && vm || return
  local log=$RESULTS/integration-build.log
  # With schemathesis, which the backend is tested with.
  scripts/lib/api-venv >"$log" 2>&1 || {
    tail -40 "$log" | one_line_each
    record failed 1 "the Python environment" "$(tail -3 "$log")"
    return
  }
  build_meanwhile
  testrun integration
  # Nothing of theirs is here: whoever has it says where.
  check "Wehe's own server and client" scripts/lib/check-wehe "$LUNA"
}

step_fuzz() {
  built_meanwhile
  check "fuzzing for 60 s" scripts/fuzz 60
}

# Outside continuous integration. Each number can be made smaller for a try.
step_long() {
  local executions=${LUNA_EXECUTIONS:-1000000000} seconds=${LUNA_FUZZ_SECONDS:-3600} log=$RESULTS/long.log
  check "$executions executions of the parsers" scripts/fuzz --executions "$executions"
  tail -3 "$RESULTS/log"
  # What both sides of an uplink check read: frames, maps, recordings, lists, files of servers, texts of WebSockets.
  check "a million changed recordings and conversations" scripts/fuzz --executions 1000000 --parser recording
  tail -1 "$RESULTS/log"
  check "fuzzing for $seconds s" scripts/fuzz "$seconds"
  tail -3 "$RESULTS/log"
  check "the packages are the same when they are made twice from nothing" scripts/package --check-reproducible
  release || return
  # The statistics of the uplink check against another implementation.
  local python
  if python=$(scripts/lib/api-venv scipy 2>"$log")/bin/python; then
    check "the vectors of scipy are current" "$python" scripts/lib/uplink-vectors --check
    "$python" scripts/lib/uplink-vectors --against "$LUNA" >"$log" 2>&1
    tally "statistics of the uplink check against scipy" "$log" $?
  else
    say "not run: statistics of the uplink check against scipy, which cannot be installed: $(tail -1 "$log")"
  fi
  # The groups that need no VM.
  LUNA_KILLS=${LUNA_KILLS:-2000} Tests/integration/run "$LUNA" --only kills >"$log" 2>&1
  tally "kills of gateways and backends" "$log" $?
  LUNA_CUTS=${LUNA_CUTS:-500} LUNA_CONNECTIONS=${LUNA_CONNECTIONS:-10000} Tests/integration/run "$LUNA" \
    --group boardcuts/legacy --group boardabuse/legacy >"$log" 2>&1
  tally "power cuts of a board, and what strangers do to one" "$log" $?
  check "a year of a board" scripts/firmware/year
  # Programs that share a credential: of an issuer that forgives nothing, and of luna's own; killed or not.
  local programs
  for programs in "twenty programs" "killed at any moment" "issuer: many programs" "issuer: killed programs"; do
    LUNA_EXPIRIES=${LUNA_EXPIRIES:-200} Tests/integration/run "$LUNA" --only "$programs" >"$log" 2>&1
    tally "programs that share a credential: $programs" "$log" $?
  done
  LUNA_PASSWORDS=${LUNA_PASSWORDS:-100000} Tests/integration/run "$LUNA" --only "very many passwords" >"$log" 2>&1
  tally "very many passwords" "$log" $?
  LUNA_TELEMETRY_KILLS=${LUNA_TELEMETRY_KILLS:-200} Tests/integration/run "$LUNA" --only "kills of writers" >"$log" 2>&1
  tally "kills of programs that record and send telemetry" "$log" $?
  LUNA_NOTIFY_KILLS=${LUNA_NOTIFY_KILLS:-200} Tests/integration/run "$LUNA" --only "killed again and again" >"$log" 2>&1
  tally "kills of a home that tells people" "$log" $?
  # What a fleet costs, and what a console takes to draw it.
  need_packages faketime
  check "the numbers of a fleet" scripts/load
  tail -40 "$RESULTS/log"
  # A day each, side by side: both wait for most of the time.
  scripts/lib/soak.py --luna "$LUNA" local >"$log" 2>&1 &
  local other=$!
  check "a day of luna finder in a busy place with faults" scripts/lib/soak.py --luna "$LUNA" finder
  tail -1 "$RESULTS/log"
  wait "$other"
  local status=$?
  check "a day of luna local in a busy place with faults" bash -c 'tail -1 "$0"; exit "$1"' "$log" $status
  check "a day of luna home run in a busy place with faults and apps" scripts/lib/soak.py --luna "$LUNA" home
  tail -1 "$RESULTS/log"
}

build_gateway() { swift build --package-path scripts/examples/gateway -c release; }

# The tests of integration wait for most of their time: what later steps need is built meanwhile, with
# the time that nobody else wants. Those steps build it themselves too: what is left, and so that a
# failure is theirs.
build_meanwhile() {
  set -m # a process group of its own
  (
    chrt --idle --pid 0 "$BASHPID" || renice -n 19 "$BASHPID"
    ! wants examples || { build_gateway; scripts/lib/check-products; }
    ! wants fuzz || scripts/fuzz --runs 0
  ) >/dev/null 2>&1 &
  MEANWHILE=$!
  set +m
}
built_meanwhile() {
  [ -n "${MEANWHILE:-}" ] || return 0
  kill -- "-$MEANWHILE" 2>/dev/null
  wait "$MEANWHILE" 2>/dev/null
  MEANWHILE=
}

# Builds the release binary once, and what else is made of the same modules: the simulations of the
# benchmarks, and the checks of GATT clients, which lie beside luna.
release() {
  [ -e "$RESULTS/released" ] && return
  local log=$RESULTS/release-build.log status
  if [ -n "${RELEASING:-}" ] && hurry "$RELEASING"; then wait "$RELEASING"; else { pack_assets && "${WHOLE_RELEASE[@]}"; } >>"$log" 2>&1; fi
  status=$?
  RELEASING=
  no_warnings "the release build" $status "$log" && : >"$RESULTS/released"
}
# hurry PROCESS: what was begun with time to spare is waited for, so it and what it has started are as all others from
# here. On a busy machine it would never end. Who may not say that ends it, and fails: it is begun again.
hurry() {
  local process
  for process in "$1" $(descendants "$1"); do
    [ -e "/proc/$process/exe" ] || continue # it has ended
    { chrt --all-tasks --other --pid 0 "$process" && renice -n 0 -p "$process"; } >/dev/null 2>&1 && continue
    [ "$process" = "$1" ] && [ -e "/proc/$1/exe" ] || continue
    kill $(descendants "$1") "$1" 2>/dev/null
    wait "$1" 2>/dev/null
    return 1
  done
}
descendants() {
  local child
  for child in $(cat /proc/"$1"/task/*/children 2>/dev/null); do
    printf '%s\n' "$child"
    descendants "$child"
  done
}
WHOLE_RELEASE=(env LUNA_BENCH=1 LUNA_CONFORMANCE=1 swift build "${RELEASE[@]}")
# Begins that with the time that nobody else wants: unit tests wait for half of theirs.
release_meanwhile() {
  wants docs || wants binary || return 0
  local idle=(nice -n 19)
  chrt --idle 0 true 2>/dev/null && idle=(chrt --idle 0)
  pack_assets || return # and release() says why
  setpriv --pdeathsig TERM "${idle[@]}" "${WHOLE_RELEASE[@]}" >"$RESULTS/release-build.log" 2>&1 &
  RELEASING=$!
}
wants() { [[ " ${STEPS[*]:-} " == *" $1 "* ]]; }
