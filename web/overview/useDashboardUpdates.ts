import { useRevalidator } from 'react-router'
import { useRoom } from '#web/lib/useRoom.ts'

/** Reloads the overview after an event for this role: an alarm, an account to verify. */
export function useDashboardUpdates() {
  const { revalidate } = useRevalidator()
  // The server takes the room from the session; the client only requests "its role".
  useRoom(
    ['role:admin'],
    (socket, room, hear) => socket.listen(room, hear, { join: { type: 'join_role' }, leave: { type: 'leave', room } }),
    () => void revalidate(),
  )
}
