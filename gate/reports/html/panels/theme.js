// The colours: as the system has them, or one's own choice, kept where the browser lets a page keep anything.

const KEY = "gate-theme";
const CHOICES = ["auto", "light", "dark"];

function kept() {
  try {
    const choice = localStorage.getItem(KEY);
    return CHOICES.includes(choice) ? choice : "auto";
  } catch {
    return "auto"; // a page from a file or in a frame may be refused its storage
  }
}

function keep(choice) {
  try {
    localStorage.setItem(KEY, choice);
  } catch {
    // it then holds for this visit
  }
}

export function mount(button) {
  let choice = kept();
  const show = () => {
    if (choice === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = choice;
    button.textContent = `Theme: ${choice}`;
  };
  button.addEventListener("click", () => {
    choice = CHOICES[(CHOICES.indexOf(choice) + 1) % CHOICES.length];
    keep(choice);
    show();
  });
  show();
  button.hidden = false;
}
