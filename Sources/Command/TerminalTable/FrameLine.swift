/// One line of the screen before it becomes bytes.
struct FrameLine: Sendable, Equatable {
  /// Text at a position.
  struct Piece: Sendable, Equatable {
    var start: Int
    var text: String
    var look = TableLook.plain
  }

  var pieces: [Piece]
  /// Whether the whole line is shown in reverse.
  var isBar = false

  init(_ pieces: [Piece] = [], isBar: Bool = false) {
    self.pieces = pieces
    self.isBar = isBar
  }

  /// Adds the line as it stands in screen row `row` (from 1): text, then erase to the end. Every
  /// piece is put at its column by number, so that a terminal that thinks otherwise of the width
  /// of some sign shifts nothing.
  func append(to bytes: inout [UInt8], row: Int, width: Int, isColored: Bool) {
    bytes += "\u{1B}[\(row);1H".utf8
    let bar = isBar && isColored
    if bar { bytes += "\u{1B}[7m".utf8 }
    var used = 0
    for piece in pieces {
      let room = width - 1 - piece.start
      let text = DisplayText.truncate(piece.text, to: room, ellipsis: "")
      guard room > 0, !text.isEmpty else { continue }
      if piece.start > used {
        bytes += repeatElement(UInt8(ascii: " "), count: piece.start - used)
      }
      if piece.start != 0 { bytes += "\u{1B}[\(piece.start + 1)G".utf8 }
      let graphics = isColored && !bar ? piece.look.graphics : ""
      if !graphics.isEmpty { bytes += "\u{1B}[\(graphics)m".utf8 }
      bytes += text.utf8
      if !graphics.isEmpty { bytes += "\u{1B}[0m".utf8 }
      used = piece.start + DisplayText.width(text)
    }
    if bar {
      if width - 1 > used { bytes += repeatElement(UInt8(ascii: " "), count: width - 1 - used) }
      bytes += "\u{1B}[0m".utf8
    }
    bytes += "\u{1B}[K".utf8
  }
}
