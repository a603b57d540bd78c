/// How the machine and the program on it are. What is not known is nil.
public struct MachineHealth: Hashable, Sendable {
  /// Time that processors have spent on the program.
  public var processorTime: Duration?
  /// The program's memory, MiB.
  public var memoryMiB: Double?
  /// The room that there is for its files, MiB.
  public var diskFreeMiB: Int64?
  /// The temperature of the hottest part, °C.
  public var temperature: Double?
  /// Whether the machine runs slower than it could, since it is hot or its power is weak.
  public var throttled: Bool?

  /// Nothing is known.
  public init() {}
}
