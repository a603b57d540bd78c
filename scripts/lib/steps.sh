# The steps of scripts/test. Each adds lines 'PASSED FAILED WHAT' to $RESULTS/counts.

# What somebody set for their own luna is not for the tests.
unset LUNA_ADAPTER LUNA_BACKEND LUNA_RADIO LUNA_STATE

# Shells and mandoc check what is generated for them; tshark and btmon are asked for a second opinion.
# The backend's second storage is tested with a real server, and https with a certificate.
TEST_PACKAGES=(tshark bluez mandoc man-db zsh fish udev file libxml2-utils python3 python3-venv dbus libpq-dev postgresql openssl systemd)

count() { printf '%s %s %s\n' "$1" "$2" "$3" >>"$RESULTS/counts"; }
# check WHAT COMMAND...: one test; its output is shown when it fails.
check() {
  local what=$1 log=$RESULTS/log
  shift
  if "$@" >"$log" 2>&1; then
    count 1 0 "$what"
  else
    say "failed: $what"
    sed 's/^/    /' "$log" | tail -40
    count 0 1 "$what"
  fi
}
# tally WHAT LOGFILE STATUS: adds the counts of a runner that ends with 'N passed, N failed'.
tally() {
  local line p f
  line=$(grep -E '^[0-9]+ passed, [0-9]+ failed' "$2" | tail -1)
  p=${line%% passed*} f=${line#*, } f=${f%% failed*}
  if [ -z "$line" ] || { [ "$3" -ne 0 ] && [ "$f" -eq 0 ]; }; then
    say "failed: $1 ended with status $3 and no good count"
    tail -40 "$2" | sed 's/^/    /'
    count "${p:-0}" 1 "$1"
  else
    count "$p" "$f" "$1"
  fi
}

python_sources() { git ls-files -co --exclude-standard '*.py'; grep -lE '^#!.*python3' $(git ls-files -co --exclude-standard scripts Tests) 2>/dev/null; }
shell_sources() { grep -lE '^#!.*(bash|/sh)' $(git ls-files -co --exclude-standard scripts .ci Tests) 2>/dev/null; }

step_lint() {
  check "swift format lint --strict" swift format lint --strict --parallel -r Package.swift Sources Tests
  local file
  for file in $(shell_sources); do check "bash -n $file" bash -n "$file"; done
  for file in $(python_sources | sort -u); do
    check "compile $file" python3 -c 'import sys; compile(open(sys.argv[1]).read(), sys.argv[1], "exec")' "$file"
  done
  check "udev rule" scripts/lib/check-udev udev/70-luna.rules
}

step_unit() {
  local log=$RESULTS/unit.log tests
  # With everything that is optional.
  if ! swift build --build-tests --traits PostgreSQL >"$log" 2>&1; then
    grep -E ': error:|: warning:' "$log" | head -40 | sed 's/^/    /'
    count 0 1 "the unit tests are built"
    return
  fi
  # One target after the other: all tests of a process start at once, and those that wait for real
  # time would wait for the computations of all others.
  for tests in Tests/*Tests; do unit_tests "$(basename "$tests")"; done
}
unit_tests() {
  local xml=$RESULTS/$1.xml log=$RESULTS/$1.log status all failures
  # A test that hangs must not hang everything: this is many times what they take.
  timeout 1200 swift test --skip-build --traits PostgreSQL --disable-xctest --filter "^$1\\." --xunit-output "$xml" >"$log" 2>&1
  status=$?
  grep -E 'recorded an issue|: error:|: warning:' "$log" | cut -c1-2000 | head -40 | sed 's/^/    /'
  # Newer Swift adds the framework's name when it runs two.
  [ -s "${xml%.xml}-swift-testing.xml" ] && xml=${xml%.xml}-swift-testing.xml
  if [ ! -s "$xml" ]; then
    tail -40 "$log" | sed 's/^/    /'
    count 0 1 "$1 (they did not run to the end)"
    return
  fi
  all=$(xmllint --xpath 'count(//testcase)' "$xml")
  failures=$(xmllint --xpath 'count(//testcase[failure])' "$xml")
  # Every skipped test says why in its own output; there should be none.
  grep -E '^(➜|↷|⇢)' "$log" | sed 's/^/    /'
  [ "$status" -eq 0 ] && [ "$all" -gt 0 ] || [ "$failures" -gt 0 ] || failures=1
  count $((all - failures)) "$failures" "$1"
}

step_docs() {
  release || return
  check "manual pages and completions are current" scripts/generate-docs --check
  check "number tables are current" python3 scripts/numbers/generate --check
  local page
  for page in scripts/man/*.1; do check "mandoc lint $page" scripts/lib/check-man "$page"; done
}

step_binary() {
  release || return
  check "needed libraries and size" scripts/lib/check-binary "$LUNA"
  check "the floors" python3 scripts/lib/check-floors
  check "the units of systemd" scripts/lib/check-units "$LUNA"
}

step_captures() {
  release || return
  local log=$RESULTS/captures.log
  python3 Tests/captures/compare_tshark.py "$LUNA" >"$log" 2>&1
  tally "captures against tshark and btmon" "$log" $?
}

# What a newcomer copies has to work: the end of scripts/quickstart, and the embedding examples.
step_examples() {
  release || return
  built_meanwhile
  # These two wait for most of their time.
  local readme=$RESULTS/readme
  { scripts/lib/check-readme "$LUNA" >"$readme" 2>&1; echo $? >"$readme.status"; } &
  local reader=$!
  check "trackers followed on the virtual radio" scripts/lib/story "$LUNA"
  check "luna demo tells the whole story" scripts/lib/check-demo "$LUNA"
  check "the gateway example builds" build_gateway
  check "the gateway example follows two trackers" scripts/examples/gateway/.build/release/gateway
  check "the reporter example reports four trackers" reporter
  wait "$reader"
  grep '^not run' "$readme"
  check "the commands of README.md work" bash -c 'cat "$0"; exit "$(cat "$0.status")"' "$readme"
  check "the gateway example links no SQLite" bash -c '! readelf -d scripts/examples/gateway/.build/release/gateway | grep -q sqlite'
}

reporter() {
  local state status
  state=$(mktemp -d)
  scripts/examples/gateway/.build/release/reporter "$state"
  status=$?
  rm -rf "$state"
  return $status
}

# What takes too long without the optimiser: a simulated year, a million addresses.
step_simulation() {
  release || return
  local log=$RESULTS/simulation.log
  timeout 1200 .build/release/luna-bench check >"$log" 2>&1
  tally "a simulated year, and memory over a million addresses" "$log" $?
}

# Over H4 on this machine, and in a VM with a real kernel, a real bluetoothd and a virtual radio.
step_integration() {
  release || return
  local log=$RESULTS/integration.log
  scripts/vm/setup && scripts/vm/build-kernel || { count 0 1 "the VM"; return; }
  # What the backend is tested with: PostgreSQL, which the unit tests are built with, and schemathesis.
  swift build --traits PostgreSQL --product luna >"$log" 2>&1 && scripts/lib/api-venv >>"$log" 2>&1 ||
    { tail -40 "$log"; count 0 1 "luna with PostgreSQL, and the Python environment"; return; }
  build_meanwhile
  Tests/integration/run "$LUNA" 2>&1 | tee "$log" | grep -vE '^ok ' | sed 's/^/    /'
  tally "H4, and the kernel with bluetoothd in a VM" "$log" "${PIPESTATUS[0]}"
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
  check "fuzzing for $seconds s" scripts/fuzz "$seconds"
  tail -3 "$RESULTS/log"
  release || return
  # The groups that need no VM.
  LUNA_KILLS=${LUNA_KILLS:-2000} Tests/integration/run "$LUNA" --only kills >"$log" 2>&1
  tally "kills of gateways and backends" "$log" $?
}

build_gateway() { swift build --package-path scripts/examples/gateway -c release; }

# The tests of integration wait for most of their time: what later steps need is built meanwhile, with
# the time that nobody else wants. Those steps build it themselves too: what is left, and so that a
# failure is theirs.
build_meanwhile() {
  local wanted=" ${STEPS[*]} "
  set -m # a process group of its own
  (
    chrt --idle --pid 0 "$BASHPID" || renice -n 19 "$BASHPID"
    [[ $wanted != *" examples "* ]] || build_gateway
    [[ $wanted != *" fuzz "* ]] || scripts/fuzz --runs 0
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
  if LUNA_BENCH=1 LUNA_CONFORMANCE=1 swift build -c release --static-swift-stdlib >"$RESULTS/build.log" 2>&1; then
    : >"$RESULTS/released"
    if grep -q 'warning:' "$RESULTS/build.log"; then
      grep 'warning:' "$RESULTS/build.log" | sed 's/^/    /'
      count 0 1 "a build without warnings"
    else
      count 1 0 "a build without warnings"
    fi
  else
    tail -40 "$RESULTS/build.log" | sed 's/^/    /'
    count 0 1 "the release build"
    return 1
  fi
}
