package import LunaDocuments

extension Problem {
  /// The problem as fields of a JSON line.
  ///
  /// - Parameter file: how the file is called.
  package func write(to writer: inout JSONFieldWriter, file: String) {
    writer.string("level", level.rawValue)
    writer.string("code", code.rawValue)
    writer.string("file", file)
    writer.integer("line", Int64(line))
    writer.integer("column", Int64(column))
    writer.string("path", path)
    writer.string("reason", reason)
    if let hint { writer.string("hint", hint) }
  }
}
