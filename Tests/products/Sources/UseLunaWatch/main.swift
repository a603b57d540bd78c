import LunaWatch

print(WatchEngine(WatchSettings()).summary.trips)
