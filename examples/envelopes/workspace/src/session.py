import secrets


def open_session(user):
    return {"user": user.name, "token": secrets.token_hex(16)}
