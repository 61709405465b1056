//! What happens on Ctrl-C.

use crate::exit::Exit;
use crate::output::talk;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the command that runs wants to finish what is under way.
static IS_PATIENT: AtomicBool = AtomicBool::new(false);
static IS_ASKED: AtomicBool = AtomicBool::new(false);

/// End the program when interrupted; with a command that finishes what is under way, only the second time.
pub(crate) fn watch() {
    // Without a handler, interruption still ends the program, only with a less telling code.
    let _ = ctrlc::set_handler(|| {
        let is_first = !IS_ASKED.swap(true, Ordering::Relaxed);
        if IS_PATIENT.load(Ordering::Relaxed) && is_first {
            talk::say("finishing what is under way; once more to stop now (nothing is lost)");
            return;
        }
        std::process::exit(Exit::Interrupted.code());
    });
}

/// Let the first interruption be a wish, which is given here.
pub(crate) fn be_patient() -> &'static AtomicBool {
    IS_PATIENT.store(true, Ordering::Relaxed);
    &IS_ASKED
}
