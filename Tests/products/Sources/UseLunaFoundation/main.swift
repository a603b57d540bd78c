import Foundation
import LunaFoundation
import LunaLocation

do {
  _ = try LocationChoice("nowhere")
} catch {
  print((error as any Error).localizedDescription)
}
