import LunaCore

let store = InMemoryDeviceStore()
print(try await store.allDevices().count)
