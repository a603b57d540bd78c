import TrackerSimulation

print(try TrackerRoom(seed: 1).names.count)
