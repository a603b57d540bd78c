import LunaCore
import LunaLocal

let local = LunaLocal(store: InMemoryDeviceStore()) { fatalError("it is never started") }
print(local.devices.count)
