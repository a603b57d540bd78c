"""Runs unit tests, reads what tests printed, asks failed ones again and reports: for scripts/test.

  python3 scripts/lib/testrun units TARGET...     each in a process of its own
  python3 scripts/lib/testrun one TEXT            the unit tests with that in their name, and all they print
  python3 scripts/lib/testrun integration [WORD...]    Tests/integration/run WORD...
  python3 scripts/lib/testrun has TEXT            whether integration tests have that in their name
  python3 scripts/lib/testrun again
  python3 scripts/lib/testrun slowest             what took longest in the last run
  python3 scripts/lib/testrun report [STEP]       STEP: where the run died
"""

import sys

import again
import integration
import report
import slowest
import units

match sys.argv[1:]:
    case ['units', *targets]:
        units.run(targets)
    case ['one', name]:
        units.one(name)
    case ['integration', *words]:
        integration.run(*words)
    case ['has', text]:
        sys.exit(0 if integration.names(text) else 1)
    case ['again']:
        again.ask_all()
    case ['slowest']:
        slowest.show()
    case ['report', *died]:
        sys.exit(report.report(died[0] if died else ''))
    case _:
        sys.exit(__doc__)
