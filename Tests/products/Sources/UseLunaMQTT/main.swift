import LunaMQTT

print(HomeTopics(base: nil, host: "attic", discovery: nil).availability)
