"""`luna onboard` through a real bluetoothd and kernel, to trackers that are hostile or locked."""

import onboarding
from group_onboardvm import IN_VM, prepare  # noqa: F401

onboarding.define_tests(globals(), ('hostile',))
