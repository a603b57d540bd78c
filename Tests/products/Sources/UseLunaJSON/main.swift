import LunaJSON

print(JSONValue.array([1, "two", true, .null]))
