import LunaCore
import LunaJSON
import LunaWire

do {
  _ = try CommandStatus(json: .null)
} catch {
  print(error)
}
