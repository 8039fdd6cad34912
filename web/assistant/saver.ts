/** 000 §9: soon after a message, every 30 seconds, and never twice within five seconds. */
const SAVE_AFTER_MS = 2_000
const SAVE_EVERY_MS = 30_000
const SAVE_GAP_MS = 5_000

/** Throttled saving. `save` is only called when there are unsaved changes. */
export function createSaver(save: () => void) {
  let isChanged = false
  let last = Number.NEGATIVE_INFINITY
  let timer: ReturnType<typeof setTimeout> | undefined
  const every = setInterval(saveInTime, SAVE_EVERY_MS)

  function saveNow() {
    clearTimeout(timer)
    if (!isChanged) return
    isChanged = false
    last = Date.now()
    save()
  }

  function saveInTime() {
    const wait = last + SAVE_GAP_MS - Date.now()
    if (wait <= 0) return saveNow()
    clearTimeout(timer)
    timer = setTimeout(saveNow, wait)
  }

  return {
    /** Marks unsaved changes. */
    changed() {
      isChanged = true
      clearTimeout(timer)
      timer = setTimeout(saveInTime, SAVE_AFTER_MS)
    },
    /** For use when the page is closed: there is no later. */
    saveNow,
    /** Discards unsaved changes. */
    forget() {
      isChanged = false
      clearTimeout(timer)
    },
    end() {
      clearTimeout(timer)
      clearInterval(every)
    },
  }
}
