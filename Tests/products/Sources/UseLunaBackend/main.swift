import LunaBackend

print(StorageLocation("sqlite:/tmp/luna") as Any)
