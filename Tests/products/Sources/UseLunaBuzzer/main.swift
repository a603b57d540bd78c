import LunaBuzzer

print(BuzzerLimits())
