import LunaStore

print(try StateDirectory.standard().path)
