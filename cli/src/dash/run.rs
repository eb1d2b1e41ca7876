//! From keys to the model, and from the model to the terminal.

use std::io::{self, IsTerminal as _};
use std::os::unix::process::CommandExt as _;
use std::process::Command;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use rustix::process::{Signal, kill_current_process_group};
use session_host::clock::Clock as _;
use session_host::config::Config;
use signal_hook::consts::signal::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::iterator::Signals;

use super::event::{Effect, Event, PutAway};
use super::lookout::{Ask, Lookout};
use super::model::{Face, Model};
use super::terminal::Screen;
use super::view::view;
use super::world::{Real, World};
use crate::commands::Reached;
use crate::context::Context;
use crate::failure::{Failure, exit};

/// How long to wait for the stop that Ctrl-Z has asked for.
const STOP: Duration = Duration::from_millis(200);

/// What comes in from outside.
enum Input {
    /// Something for the model.
    Event(Event),
    /// The terminal may have been changed by somebody else.
    Continued,
    /// The terminal is gone, or somebody wants us to end, by this signal.
    End(Option<i32>),
}

/// What is left to do after an effect.
enum After {
    /// Nothing.
    Stay,
    /// To end, with this status.
    End(u8),
    /// To give the terminal to this command.
    Exec(Command),
}

/// Runs one of the two faces until the person ends it.
///
/// # Errors
/// When there is no terminal, or the store cannot be read.
pub(crate) fn run(face: Face, client: Option<&str>, context: &Context) -> anyhow::Result<u8> {
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        return Err(Failure::failed("this is not a terminal")
            .hint("For scripts: tally list --json, tally events.")
            .into());
    }
    let config = context.config();
    let size = crossterm::terminal::size().unwrap_or((80, 24));
    let urgency = config.policy.urgency.clone();
    let colour = context.out.colour();
    let mut model = Model::new(face, config.look.clone(), urgency, colour, size);
    // What the daemon knows is on the screen before anything else is asked.
    let fleet = Lookout::new(context, &config, false).fleet(None);
    let fleet = fleet.map_err(Failure::failed)?;
    let (inputs, incoming) = mpsc::channel();
    let (asks, asked) = mpsc::channel();
    let now = || context.clock.now().ms();
    let effects = model.update(Event::Fleet(Box::new(fleet)), now());
    let mut world = Real {
        context,
        config: &config,
        client,
        lookout: asks,
    };
    let mut screen = Screen::take()?;
    listen(&inputs)?;
    look(face, context, &config, asked, inputs)?;
    let mut after = carry_out(effects, &mut model, &mut world, &mut screen, now())?;
    loop {
        match after {
            After::Stay => {}
            After::End(status) => return Ok(status),
            After::Exec(mut command) => {
                drop(screen);
                return Err(command.exec().into());
            }
        }
        let drawn = screen
            .terminal
            .draw(|frame| view(&model, frame.buffer_mut()));
        // A terminal that is gone is the person's end of it.
        if drawn.is_err() {
            return Ok(exit::OK);
        }
        let wait = u64::try_from(model.wakes_in_ms()).unwrap_or(1_000);
        after = match incoming.recv_timeout(Duration::from_millis(wait)) {
            Ok(input) => take_in(input, &mut model, &mut world, &mut screen, &incoming, &now)?,
            Err(RecvTimeoutError::Timeout) => {
                let effects = model.update(Event::Tick, now());
                carry_out(effects, &mut model, &mut world, &mut screen, now())?
            }
            Err(RecvTimeoutError::Disconnected) => After::End(exit::FAILED),
        };
    }
}

/// Takes in what has come, all of it, before anything is drawn.
fn take_in(
    first: Input,
    model: &mut Model,
    world: &mut dyn World,
    screen: &mut Screen,
    incoming: &Receiver<Input>,
    now: &dyn Fn() -> i64,
) -> anyhow::Result<After> {
    let mut next = Some(first);
    while let Some(input) = next {
        let event = match input {
            Input::Event(event) => event,
            Input::Continued => {
                screen.take_again()?;
                Event::Tick
            }
            Input::End(signal) => return Ok(After::End(ended_by(signal))),
        };
        panic_if_asked(&event);
        let effects = model.update(event, now());
        match carry_out(effects, model, world, screen, now())? {
            After::Stay => {}
            after => return Ok(after),
        }
        next = incoming.try_recv().ok();
    }
    Ok(After::Stay)
}

/// As shells tell of a command that a signal has ended; a terminal that was closed is no failure.
fn ended_by(signal: Option<i32>) -> u8 {
    match signal {
        None | Some(SIGHUP) => exit::OK,
        Some(signal) => u8::try_from(128 + signal).unwrap_or(exit::FAILED),
    }
}

fn carry_out(
    effects: Vec<Effect>,
    model: &mut Model,
    world: &mut dyn World,
    screen: &mut Screen,
    now_ms: i64,
) -> anyhow::Result<After> {
    for effect in effects {
        match effect {
            Effect::Quit => return Ok(After::End(exit::OK)),
            Effect::Suspend => suspend(screen)?,
            Effect::Watch(id) => world.watch(id),
            Effect::Copy(text) => world.copy(&text)?,
            Effect::Acknowledge(id, turn) => {
                if let Err(error) = world.acknowledge(id, turn) {
                    model.update(Event::Note(error.to_string()), now_ms);
                }
            }
            Effect::PutAway(id, what) => {
                let done = world.put_away(id, what, now_ms);
                let note = done.map_or_else(|error| error.to_string(), |()| put_away(what));
                model.update(Event::Note(note), now_ms);
            }
            Effect::Go(id) => match went(world.go(id), model.face) {
                Ok(after) => return Ok(after),
                Err(note) => {
                    model.update(Event::Note(note), now_ms);
                }
            },
        }
    }
    Ok(After::Stay)
}

/// What has become of a session, for the person.
fn put_away(what: PutAway) -> String {
    match what {
        PutAway::Settle => "Settled: it needs you no more, until something new happens.",
        PutAway::Snooze(_) => "Snoozed for an hour, or until something new happens.",
        PutAway::Back => "It is back among those that can need you.",
    }
    .to_owned()
}

/// What follows from a jump; a line for the person where they have to read it.
fn went(reached: anyhow::Result<Reached>, face: Face) -> Result<After, String> {
    match reached {
        Ok(Reached::Attach(command)) => Ok(After::Exec(command)),
        Ok(Reached::Shown { .. }) if face == Face::Pick => Ok(After::End(exit::OK)),
        Ok(Reached::Shown { elsewhere: None }) => Ok(After::Stay),
        Ok(Reached::Shown {
            elsewhere: Some(client),
        }) => Err(format!("Shown on {client}.")),
        Ok(Reached::Chosen { attach, .. }) => {
            Err(format!("No terminal shows it yet. This does: {attach}"))
        }
        Err(error) => Err(format!("{error:#}")),
    }
}

/// Gives the terminal back, stops as the shell's other jobs do, and takes it again. Where no shell would ever continue
/// us, as in a popup, the kernel does not stop us either.
fn suspend(screen: &mut Screen) -> io::Result<()> {
    super::terminal::give_back();
    kill_current_process_group(Signal::TSTP)?;
    // The stop comes as soon as the kernel finds one of our threads: nothing may be drawn before it.
    thread::sleep(STOP);
    screen.take_again()
}

/// Listens to the terminal and to signals, each in a thread of its own.
fn listen(inputs: &Sender<Input>) -> anyhow::Result<()> {
    let mut signals = Signals::new([SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGCONT])?;
    let send = inputs.clone();
    thread::Builder::new()
        .name("signals".to_owned())
        .spawn(move || {
            for signal in signals.forever() {
                let input = match signal {
                    SIGCONT => Input::Continued,
                    signal => Input::End(Some(signal)),
                };
                if send.send(input).is_err() {
                    return;
                }
            }
        })?;
    let send = inputs.clone();
    thread::Builder::new()
        .name("keys".to_owned())
        .spawn(move || {
            if send.send(size_now()).is_err() {
                return;
            }
            loop {
                let input = match crossterm::event::read() {
                    Ok(crossterm::event::Event::Key(key)) => Input::Event(Event::Key(key)),
                    Ok(crossterm::event::Event::Mouse(mouse)) => Input::Event(Event::Mouse(mouse)),
                    Ok(crossterm::event::Event::Resize(columns, rows)) => {
                        Input::Event(Event::Resize(columns, rows))
                    }
                    Ok(_) => continue,
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    Err(_) => Input::End(None),
                };
                let last = matches!(input, Input::End(_));
                if send.send(input).is_err() || last {
                    return;
                }
            }
        })?;
    Ok(())
}

/// The size of the terminal, once its changes are heard of: a multiplexer that opens a pane may change it before, and
/// that change is told to nobody.
fn size_now() -> Input {
    // To ask for events for the first time is to listen from then on.
    let _ = crossterm::event::poll(Duration::ZERO);
    let (columns, rows) = crossterm::terminal::size().unwrap_or((80, 24));
    Input::Event(Event::Resize(columns, rows))
}

/// Starts to look at the world, in a thread with a world of its own.
fn look(
    face: Face,
    context: &Context,
    config: &Config,
    asks: Receiver<Ask>,
    inputs: Sender<Input>,
) -> anyhow::Result<()> {
    let own = Context::new(context.env.clone(), context.out)?;
    let config = config.clone();
    thread::Builder::new()
        .name("lookout".to_owned())
        .spawn(move || {
            let tell = |event| inputs.send(Input::Event(event)).is_ok();
            Lookout::new(&own, &config, face == Face::Dash).run(&asks, &tell);
        })?;
    Ok(())
}

/// A debug build panics at F12, so that a test can see what becomes of the terminal.
#[cfg(debug_assertions)]
#[expect(clippy::panic, reason = "the test is about a panic")]
fn panic_if_asked(event: &Event) {
    use crossterm::event::{KeyCode, KeyEvent};
    if let Event::Key(KeyEvent {
        code: KeyCode::F(12),
        ..
    }) = event
    {
        panic!("F12 was pressed");
    }
}

#[cfg(not(debug_assertions))]
fn panic_if_asked(_: &Event) {}
