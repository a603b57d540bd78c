import LunaFrames

print(EID("0011223344556677") as Any, LunaFrame.defaultCompanies)
