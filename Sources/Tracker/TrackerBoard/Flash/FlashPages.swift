/// The two pages of flash that a board gives to ``FlashLog``. A page is what is erased at once; a board whose flash
/// erases less at a time takes several of its own for each.
package protocol FlashPages {
  /// The bytes of each page.
  var pageSize: Int { get }
  /// What stands there; erased bytes are 0xFF.
  func read(_ page: Int, at offset: Int, count: Int) -> [UInt8]
  /// Writes where it is erased. What became of it is read back, so that nothing is returned.
  mutating func write(_ bytes: [UInt8], to page: Int, at offset: Int)
  /// Erases all of a page.
  mutating func erase(_ page: Int)
}
