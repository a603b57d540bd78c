import LunaProtocol

print(EID("0011223344556677") as Any, Period.number(at: 0))
