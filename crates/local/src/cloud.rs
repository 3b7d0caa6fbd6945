//! What is done once for a house in the cloud, from a machine with the rights to do it: its first admin, its starting catalogue.

use anyhow::Result;
use waraq_aws::{Cloud, Conditions, Settings};
use waraq_core::accounts::{Address, add_admin};

use crate::{admin, starting_catalogue};

/// The stores the environment names: what a function is told, see `docs/deploying.md`.
pub fn of_environment() -> Result<Cloud> {
    Cloud::new(Settings::from_environment()?, Conditions::default()).map_err(Into::into)
}

/// Makes an admin of an address that has no account; his password.
pub async fn make_admin(cloud: &Cloud, email: &str) -> Result<String> {
    let address = Address::parse(email)?;
    if cloud.accounts().holders(&address).await?.owner.is_some() {
        anyhow::bail!("there is an account with this address already; an admin can promote it");
    }
    let password = admin::new_password(cloud);
    add_admin(cloud.accounts(), cloud.identity(), cloud.clock(), cloud.chance(), (email, &password)).await?;
    Ok(password)
}

/// Publishes the templates of the starting catalogue that are not there yet; how many.
pub async fn publish_catalogue(cloud: &Cloud) -> Result<usize> {
    starting_catalogue::load(cloud).await
}
