import LunaDocuments

print(try FilterParser.parse("rssi > -70").text)
