import Luna

print(Luna.version(), Luna.local().devices.count)
