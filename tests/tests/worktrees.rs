//! Worktrees of a real git repository, with windows of a real tmux in them.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "a test stops at the first thing that is not as it must be"
)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tally_tests::listing::sessions;
use tally_tests::{LIMIT, Outcome, TmuxServer, World, wait_until};

/// A repository with one commit, a server with one session, and an agent that tells where it was started.
struct Scene {
    _server: TmuxServer,
    app: PathBuf,
    world: World,
}

impl Scene {
    fn new() -> Self {
        let world = World::with_tally();
        let app = world.home().join("app");
        fs::create_dir(&app).unwrap();
        let agent = "#!/bin/sh\n{ pwd; printf '<%s>' \"$@\"; echo; } >> \"$HOME/started\"\nexec sleep 1000\n";
        world.write("bin/crush", agent);
        fs::set_permissions(world.bin("crush"), fs::Permissions::from_mode(0o755)).unwrap();
        world.write(
            "home/.gitconfig",
            "[user]\nname = x\nemail = x@example.org\n[init]\ndefaultBranch = main\n",
        );
        let server = TmuxServer::new(&world, "default");
        drop(server.new_session("work", "first"));
        let scene = Self {
            _server: server,
            app,
            world,
        };
        scene.git(&scene.app, &["init", "-q"]);
        fs::write(scene.app.join("file"), "one\n").unwrap();
        scene.git(&scene.app, &["add", "."]);
        scene.git(&scene.app, &["commit", "-q", "-m", "first"]);
        scene
    }

    fn git(&self, folder: &Path, args: &[&str]) -> String {
        let output = self
            .world
            .command("git")
            .arg("-C")
            .arg(folder)
            .args(args)
            .output()
            .unwrap();
        assert!(output.status.success(), "git {args:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    fn tally(&self, args: &[&str]) -> Outcome {
        let app = self.app.to_str().unwrap();
        self.world
            .tally(&[&["worktree"], args, &["--repo", app]].concat())
    }

    fn done(&self, args: &[&str]) -> String {
        let outcome = self.tally(args);
        assert_eq!(outcome.status, 0, "{args:?}: {outcome:?}");
        outcome.stdout.trim().to_owned()
    }

    fn refused(&self, args: &[&str], why: &str) {
        let outcome = self.tally(args);
        assert_eq!(outcome.status, 1, "{args:?}: {outcome:?}");
        assert!(outcome.stderr.contains(why), "{args:?}: {}", outcome.stderr);
    }

    fn tree(&self, name: &str) -> PathBuf {
        self.world.home().join("app.worktrees").join(name)
    }

    fn named(&self, name: &str) -> Option<Value> {
        sessions(&self.world)
            .into_iter()
            .find(|session| session["name"] == name)
    }

    fn wait_for_start(&self, wanted: &str) {
        let path = self.world.home().join("started");
        let read = || fs::read_to_string(&path).unwrap_or_default();
        wait_until(
            wanted,
            LIMIT,
            || read().contains(wanted).then_some(()),
            read,
        );
    }

    fn end(&self, name: &str) {
        let session = self.named(name).unwrap();
        let pane = session["pane"]["pane_id"].as_str().unwrap();
        self._server.run(["kill-pane", "-t", pane]);
        wait_until(
            "its end",
            LIMIT,
            || self.named(name).is_none().then_some(()),
            String::new,
        );
    }
}

#[test]
fn an_agent_is_started_in_a_new_worktree_of_a_new_branch_of_its_repository() {
    let scene = Scene::new();
    let id = scene.done(&["new", "feature/login", "--agent", "crush"]);
    let tree = scene.tree("feature-login");
    scene.wait_for_start(tree.to_str().unwrap());
    assert_eq!(
        scene.git(&tree, &["branch", "--show-current"]),
        "feature/login"
    );
    let session = scene.named("feature/login").unwrap();
    assert_eq!(session["id"], id);
    assert_eq!(session["agent"], "crush");
    assert_eq!(
        session["repo"],
        scene.app.to_str().unwrap(),
        "its main checkout's"
    );
    assert_eq!(session["pane"]["window_name"], "feature/login");

    scene.refused(&["new", "feature/login"], "is checked out in");
    scene.refused(&["new", "other", "--base", "nowhere"], "is no commit");
    assert_eq!(scene.tally(&["new", "a..b"]).status, 2);
    assert!(!scene.tree("other").exists());

    let listed = scene.world.tally_json(&[
        "worktree",
        "list",
        "--json",
        "--repo",
        tree.to_str().unwrap(),
    ]);
    let trees = listed["worktrees"].as_array().unwrap();
    assert_eq!(trees.len(), 2);
    assert_eq!(
        (&trees[0]["main"], &trees[0]["branch"]),
        (&true.into(), &"main".into())
    );
    assert_eq!(trees[0]["sessions"], serde_json::json!([]));
    assert_eq!(trees[1]["branch"], "feature/login");
    assert_eq!(trees[1]["sessions"], serde_json::json!([id]));
    let text = scene.done(&["list"]);
    assert!(
        text.contains("feature/login") && text.contains("(crush)"),
        "{text}"
    );
}

#[test]
fn a_fan_makes_several_and_all_of_them_or_none() {
    let scene = Scene::new();
    scene.git(&scene.app, &["branch", "try-3", "main"]);
    let ids = scene.done(&["fan", "try", "3", "--agent", "crush"]);
    assert_eq!(ids.lines().count(), 3);
    for name in ["try-1", "try-2", "try-3"] {
        scene.wait_for_start(scene.tree(name).to_str().unwrap());
        assert_eq!(
            scene.git(&scene.tree(name), &["branch", "--show-current"]),
            name
        );
        assert!(scene.named(name).is_some(), "{name}");
    }
    // The second of these is there already.
    scene.git(
        &scene.app,
        &["worktree", "add", "-q", "-b", "again-2", "../elsewhere"],
    );
    scene.refused(&["fan", "again", "2"], "again-2 is checked out in");
    assert!(!scene.tree("again-1").exists());
    assert_eq!(scene.tally(&["fan", "try", "0"]).status, 2);
}

#[test]
fn work_is_not_removed_without_a_word() {
    let scene = Scene::new();
    scene.done(&["new", "side"]);
    let tree = scene.tree("side");
    scene.refused(&["remove", "side"], "a session is in it");
    scene.end("side");
    fs::write(tree.join("file"), "two\n").unwrap();
    fs::write(tree.join("new file"), "x\n").unwrap();
    scene.refused(&["remove", "side"], " M file");
    scene.refused(&["remove", tree.to_str().unwrap()], "?? \"new file\"");
    scene.done(&["remove", "side", "--stash"]);
    assert!(!tree.exists());
    let stash = scene.git(&scene.app, &["stash", "list"]);
    assert!(stash.contains("tally worktree remove: side"), "{stash}");
    scene.git(&scene.app, &["stash", "apply", "-q"]);
    assert_eq!(
        fs::read_to_string(scene.app.join("new file")).unwrap(),
        "x\n"
    );
    scene.git(&scene.app, &["reset", "-q", "--hard"]);
    fs::remove_file(scene.app.join("new file")).unwrap();

    // The branch is there still, and is checked out again; then it has a commit of its own.
    scene.done(&["new", "side"]);
    scene.end("side");
    fs::write(tree.join("file"), "three\n").unwrap();
    scene.git(&tree, &["commit", "-q", "-a", "-m", "only here"]);
    scene.refused(&["remove", "side"], "only here");
    scene.refused(
        &["remove", "side", "--stash"],
        "on no remote and on no other branch",
    );
    scene.git(&scene.app, &["merge", "-q", "side"]);
    scene.done(&["remove", "side"]);
    assert!(!tree.exists());

    scene.done(&["new", "forced", "--path", tree.to_str().unwrap()]);
    fs::write(tree.join("file"), "four\n").unwrap();
    scene.done(&["remove", "forced", "--force"]);
    assert!(!tree.exists());
    scene.refused(&["remove", "main"], "is the main checkout");
    scene.refused(&["remove", "nobody"], "no worktree has");
}

#[test]
fn the_environment_of_another_repository_is_not_gits() {
    let mut scene = Scene::new();
    scene.world.set_env("GIT_DIR", "/nowhere");
    scene.world.set_env("GIT_WORK_TREE", "/nowhere");
    scene.world.set_env("GIT_INDEX_FILE", "/nowhere/index");
    scene.done(&["new", "side"]);
    assert!(scene.tree("side").join("file").is_file());
}

#[test]
fn what_the_hook_puts_into_a_worktree_is_there_when_the_agent_begins() {
    let scene = Scene::new();
    let recipes = tally_tests::tally::workspace().join("docs/recipes.md");
    let text = fs::read_to_string(recipes).unwrap();
    let section = text.split_once("## What git ignores").unwrap().1;
    let recipe = section.split_once("```toml\n").unwrap().1;
    let recipe = recipe.split_once("```").unwrap().0;
    scene.world.configure(recipe);
    fs::write(scene.app.join(".env"), "SECRET=1\n").unwrap();
    scene.done(&["fan", "try", "2", "--agent", "crush"]);
    for name in ["try-1", "try-2"] {
        let copy = fs::read_to_string(scene.tree(name).join(".env"));
        assert_eq!(copy.unwrap(), "SECRET=1\n");
    }
    // One that fails is told, and stops those after it; the worktree is there.
    let failing = "[hooks]\nafter-new-worktree = ['env | grep TALLY_ > told', 'echo no >&2; exit 3', 'touch never']\n";
    scene.world.configure(failing);
    let outcome = scene.tally(&["new", "one", "--agent", "crush", "--json"]);
    let document: Value = serde_json::from_str(&outcome.stdout).unwrap();
    let error = document["worktrees"][0]["hook_error"].as_str().unwrap();
    assert!(error.contains("exit 3") && error.ends_with("no"), "{error}");
    scene.wait_for_start(scene.tree("one").to_str().unwrap());
    assert!(!scene.tree("one").join("never").exists());
    let told = fs::read_to_string(scene.tree("one").join("told")).unwrap();
    for line in [
        "TALLY_EVENT=after-new-worktree".to_owned(),
        "TALLY_SESSION_ID=one".to_owned(),
        "TALLY_WORKTREE_BRANCH=one".to_owned(),
        "TALLY_WORKTREE_CREATED_BRANCH=1".to_owned(),
        format!("TALLY_WORKTREE_REPO_ROOT={}", scene.app.display()),
        format!("TALLY_WORKTREE_PATH={}", scene.tree("one").display()),
    ] {
        assert!(told.lines().any(|told| told == line), "{line}: {told}");
    }
}
