import CBoard
import TrackerBoard

/// The two pages of flash of a board.
struct BoardFlash: FlashPages {
  var pageSize: Int { luna_flash_page_size() }

  func read(_ page: Int, at offset: Int, count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      luna_flash_read(Int32(page), offset, buffer.baseAddress, count)
      filled = count
    }
  }

  func write(_ bytes: [UInt8], to page: Int, at offset: Int) {
    bytes.withUnsafeBufferPointer { bytes in
      luna_flash_write(Int32(page), offset, bytes.baseAddress, bytes.count)
    }
  }

  func erase(_ page: Int) { luna_flash_erase(Int32(page)) }
}
