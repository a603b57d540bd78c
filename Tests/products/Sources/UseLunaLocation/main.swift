import LunaLocation

print(try LocationChoice("static:52.5,13.4"))
