/// The system calls by which flash is read and written, so that a test can let each of them fail.
/// Results are those of the calls; a negative number is the error number with its sign changed.
protocol FlashFiles: Sendable {
  /// Opens a file to be read.
  func open(reading path: String) -> Int32
  /// Makes a file, mode 0600, for its owner to write; an old one is cut to nothing.
  func create(_ path: String) -> Int32
  /// Opens a directory, to sync it.
  func open(directory path: String) -> Int32
  /// Reads up to `count` bytes.
  func read(_ descriptor: Int32, count: Int) -> (result: Int, bytes: [UInt8])
  /// Writes; may write less than asked.
  func write(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Int
  /// Waits until what was written is on the disk.
  func sync(_ descriptor: Int32) -> Int32
  /// Puts a file in the place of another.
  func rename(_ old: String, to new: String) -> Int32
  /// Takes a file out of its directory.
  func remove(_ path: String) -> Int32
  /// Closes a descriptor.
  func close(_ descriptor: Int32)
}
