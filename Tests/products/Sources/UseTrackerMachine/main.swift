import TrackerMachine

print(TrackerClock(time: 10, at: 0, speed: 2).time(at: 5))
