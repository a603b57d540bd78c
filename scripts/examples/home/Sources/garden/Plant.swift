import LunaHome
import Synchronization

/// A pot with a plant: how wet its earth is, and water for it.
final class Plant: HomeDevice {
  private let name: String
  private let moisture = Mutex(12.0)

  init(_ model: HomeModel, _ tracker: HomeTracker) { name = tracker.name }

  func value(of property: String, _ builtIn: PropertyValue?) -> PropertyValue? {
    property == "moisture" ? .number(moisture.withLock { $0 }) : builtIn
  }

  func perform(_ action: String, _ value: PropertyValue?) async throws(HomeError) -> Bool {
    guard action == "water" else { return false }
    moisture.withLock { $0 = 80 }
    print("\(name) has been watered")
    return true
  }
}
