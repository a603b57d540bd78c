import LunaOnboarder

print(OnboardingLimits())
