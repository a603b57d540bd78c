/// A class of devices of one's own: what a program makes of the trackers of a model that names it in
/// `devices[].class` (HOME.md 12). One is made for each tracker, anew with each file.
///
/// ```swift
/// struct Freezer: HomeDevice {
///   init(_ model: HomeModel, _ tracker: HomeTracker) {}
///   func value(of property: String, _ builtIn: PropertyValue?) -> PropertyValue? { builtIn }
/// }
/// ```
public protocol HomeDevice: Sendable {
  /// A device for a tracker, as it is when its file begins to hold.
  init(_ model: HomeModel, _ tracker: HomeTracker)

  /// What a property is: asked with each value that comes, before rules, history and people learn of it. For
  /// properties that are not built in it is also asked at the beginning, when something else is heard of the
  /// tracker, and after ``perform(_:_:)``. It does not wait: all else of the home waits meanwhile.
  ///
  /// - Parameter builtIn: what it would be without this class: the last value that came; nil where none has come
  ///   since the home began.
  /// - Returns: what it is; nil leaves it as it was.
  func value(of property: String, _ builtIn: PropertyValue?) -> PropertyValue?

  /// Does what somebody, or a rule, asks of the tracker.
  ///
  /// - Parameters:
  ///   - action: such as `turn_on`, `ping`, `set:PROPERTY`, the name of an action of the model, or one that only
  ///     this class knows.
  ///   - value: for how many seconds, or what is to be set; nil where nothing was said.
  /// - Returns: whether it is done; false leaves it to the home.
  func perform(_ action: String, _ value: PropertyValue?) async throws(HomeError) -> Bool
}

extension HomeDevice {
  /// What it is without this class.
  public func value(of property: String, _ builtIn: PropertyValue?) -> PropertyValue? { builtIn }

  /// Leaves everything to the home.
  public func perform(_ action: String, _ value: PropertyValue?) async throws(HomeError) -> Bool {
    false
  }
}
