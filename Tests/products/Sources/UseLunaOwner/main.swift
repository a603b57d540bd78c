import LunaCore
import LunaOwner

let owner = LunaOwner(store: InMemoryDeviceStore())
print(try await owner.allDevices().count)
