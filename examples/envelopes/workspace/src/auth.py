from session import open_session


def authenticate(name, password, users):
    """Returns a session, or None when name and password do not belong together."""
    user = users.get(name)
    if user is None or not user.matches(password):
        return None
    return open_session(user)
